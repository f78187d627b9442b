"""Control characters kept out of every text field of every form, the administration's too."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

from regulations.characters import forbidden


@deconstructible
class NoControls:
    """A validator; Django's own refuses NUL."""

    def __call__(self, value: object) -> None:
        which = forbidden(str(value).replace("\0", " "))
        if which:
            text = _("The control character %(which)s stands in it. Delete it, or type the text again.")
            raise ValidationError(text, code="control-character", params={"which": which})


def keep_out_of_forms() -> None:
    """Called once, when the portal has loaded: a form made later cannot forget it."""
    if not any(isinstance(each, NoControls) for each in forms.CharField.default_validators):
        forms.CharField.default_validators = [*forms.CharField.default_validators, NoControls()]
