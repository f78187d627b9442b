"""What Django's administration shows of choices, of yes and no, of negative numbers and of who is hidden, as
the public pages say it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from django.contrib.admin import helpers
from django.contrib.admin.templatetags import admin_list
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.languages.texts import minus, said
from players.privacy import named, named_within


def say_choices() -> None:
    """From now on columns, filters and read-only fields show the labels of choices in the reader's language,
    and what stands for a hidden player. The models keep them in English, in which they are stored, hashed
    and mailed."""
    shown, icon = admin_list.display_for_field, admin_list._boolean_icon
    cells, linked = admin_list.items_for_result, helpers.AdminReadonlyField.get_admin_url

    def display_for_field(value, field, *more, **others):
        made = shown(value, field, *more, **others)
        if getattr(field, "flatchoices", None):
            return said(made)
        is_number = isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
        return minus(made) if is_number else named(made)

    def boolean_icon(value) -> SafeString:
        word = {True: _("yes"), False: _("no")}.get(value, _("not known"))
        return SafeString(icon(value).replace(f'alt="{value}"', f'alt="{word}"'))

    def items_for_result(*given) -> Iterator[SafeString]:
        # Django writes a record as its own text says it, which is English.
        return map(named_within, cells(*given))

    def get_admin_url(*given) -> str:
        return named_within(linked(*given))

    if shown.__module__ != __name__:
        admin_list.display_for_field = helpers.display_for_field = display_for_field
        admin_list._boolean_icon = boolean_icon
        admin_list.items_for_result = items_for_result
        helpers.AdminReadonlyField.get_admin_url = get_admin_url
