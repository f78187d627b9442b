"""Form fields drawn without a template for each option: a page has the federations of the world to offer."""

from __future__ import annotations

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from players.languages.texts import said

_SELECTED = mark_safe(" selected")


class LongSelect(forms.Select):
    """A select of many options, without groups."""

    def render(self, name, value, attrs=None, renderer=None):
        chosen = "" if value is None else str(value)
        options = (
            (key, _SELECTED if str(key) == chosen else "", label if key else said(label))
            for key, label in self.choices
        )
        drawn = format_html_join("", '<option value="{}"{}>{}</option>', options)
        given = flatatt(self.build_attrs(self.attrs, {**(attrs or {}), "name": name}))
        return format_html("<select{}>{}</select>", given, drawn)
