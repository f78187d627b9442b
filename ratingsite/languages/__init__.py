"""Catalogues of translations: .po files kept up to the code and compiled, without GNU gettext."""
