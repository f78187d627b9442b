"""What a template or a form says is marked for translation, whether a test ever shows it or not."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django import forms

from ratingsite.languages.areas import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
#: blocks that are no text, and texts that are marked
_MARKED = re.compile(
    r"\{%\s*(blocktranslate|comment)\b.*?\{%\s*end\1\s*%\}"
    r"|\{%\s*block (?:main_class|coltype)\s*%\}.*?\{%\s*endblock\s*%\}"
    r"|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}",
    re.DOTALL,
)
_SILENT = re.compile(r"<(script|style|code)\b.*?</\1>|&\w+;", re.DOTALL)
_READ = re.compile(r'\b(?:title|alt|aria-label|placeholder|data-label|label)="([^"]*)"')
_BUTTON = re.compile(r'<input type="submit"[^>]*\bvalue="([^"]*)"')
_WORD = re.compile(r"[^\W\d_]{2,}")
#: names of formats and of columns that no language writes otherwise
SAME = {"SHA", "CSV", "XLSX", "Rc"}


def _unmarked(source: str) -> Iterator[str]:
    bare = _SILENT.sub(" ", _MARKED.sub("\n", source))
    for text in (*_READ.findall(bare), *_BUTTON.findall(bare), *re.sub(r"<[^>]*>", "\n", bare).split("\n")):
        if set(_WORD.findall(text)) - SAME:
            yield text.strip()


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def test_a_template_has_no_text_of_its_own(path: Path):
    assert list(_unmarked(path.read_text(encoding="utf-8"))) == []


def test_text_that_is_not_marked_is_found():
    assert list(_unmarked('<p title="Why">{% translate "Yes" %} and {{ no }}</p>')) == ["Why", "and"]
    assert list(_unmarked('<input type="submit" class="default" value="Do it">')) == ["Do it"]


def _forms(base: type = forms.BaseForm) -> Iterator[type]:
    for each in base.__subclasses__():
        yield each
        yield from _forms(each)


def test_every_field_of_a_form_has_a_label_of_its_own():
    """Without one Django makes it of the field's English name; a model's field has a name that is said."""
    for package in ("players", "tournaments", "ratinglists"):
        for module in pkgutil.iter_modules([str(ROOT / package)], f"{package}."):
            if module.name.endswith(("forms", "admin", "views")):
                importlib.import_module(module.name)
    unlabelled = {
        f"{form.__module__}.{form.__qualname__}.{name}"
        for form in _forms()
        if form.__module__.split(".")[0] in ("players", "tournaments", "ratinglists")
        for name, field in form.base_fields.items()
        if field.label is None and not field.widget.is_hidden
    }
    assert unlabelled == set()
