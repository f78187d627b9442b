"""Form fields drawn without a template for each option: of a search page they were half the work."""

from __future__ import annotations

from html import escape

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html
from django.utils.safestring import SafeString

from players.languages.texts import said


class Select(forms.Select):
    """A select without groups."""

    def render(self, name, value, attrs=None, renderer=None):
        chosen = "" if value is None else str(value)
        drawn = "".join(
            f'<option value="{escape(str(key))}"{" selected" if str(key) == chosen else ""}>'
            f"{escape(self.shown(key, label))}</option>"
            for key, label in self.choices
        )
        given = flatatt(self.build_attrs(self.attrs, {**(attrs or {}), "name": name}))
        return format_html("<select{}>{}</select>", given, SafeString(drawn))

    @staticmethod
    def shown(key: str, label: object) -> str:
        return str(said(label))


class NameSelect(Select):
    """A select of names, which are the same in every language."""

    @staticmethod
    def shown(key: str, label: object) -> str:
        return str(label if key else said(label))


class ChoiceField(forms.ChoiceField):
    widget = Select
