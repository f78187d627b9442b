"""Catalogues of translations: what is to be translated, kept in .po files and compiled, without GNU gettext."""
