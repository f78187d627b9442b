"""What Django's administration shows of choices and of yes and no, said in the reader's language."""

from __future__ import annotations

from django.contrib.admin import helpers
from django.contrib.admin.templatetags import admin_list
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.languages.texts import said


def say_choices() -> None:
    """From now on columns, filters and read-only fields show the labels of choices in the reader's language.
    The models keep them in English, in which they are stored, hashed and mailed."""
    shown, icon = admin_list.display_for_field, admin_list._boolean_icon

    def display_for_field(value, field, *more, **named):
        made = shown(value, field, *more, **named)
        return said(made) if getattr(field, "flatchoices", None) else made

    def boolean_icon(value) -> SafeString:
        word = {True: _("yes"), False: _("no")}.get(value, _("not known"))
        return SafeString(icon(value).replace(f'alt="{value}"', f'alt="{word}"'))

    if shown.__module__ != __name__:
        admin_list.display_for_field = helpers.display_for_field = display_for_field
        admin_list._boolean_icon = boolean_icon
