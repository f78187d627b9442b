"""Control characters kept out of every text field of every form, the administration's too, and line breaks
out of every field of one line."""

from __future__ import annotations

import re

from django import forms
from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

from regulations.characters import forbidden

#: what some program or other takes for the end of a line
_BREAK = re.compile("[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


@deconstructible
class NoControls:
    """A validator; Django's own refuses NUL."""

    def __call__(self, value: object) -> None:
        which = forbidden(str(value).replace("\0", " "))
        if which:
            text = _("The control character %(which)s stands in it. Delete it, or type the text again.")
            raise ValidationError(text, code="control-character", params={"which": which})


def _in_one_line(field: forms.CharField, value: object) -> None:
    """A browser sends no line break from a field of one line; a forged request could, and with it begin a
    line of its own in a list of text, or a header of a mail."""
    if isinstance(value, str) and not isinstance(field.widget, forms.Textarea) and _BREAK.search(value):
        raise ValidationError(_("A line break stands in it. Write it in one line."), code="line-break")
    _validated(field, value)


_validated = forms.CharField.run_validators


def keep_out_of_forms() -> None:
    """Called once, when the portal has loaded: a form made later cannot forget it."""
    if not any(isinstance(each, NoControls) for each in forms.CharField.default_validators):
        forms.CharField.default_validators = [*forms.CharField.default_validators, NoControls()]
        forms.CharField.run_validators = _in_one_line
