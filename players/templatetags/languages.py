"""Filters for the reader's language."""

from __future__ import annotations

from django import template

from players.languages.texts import figure, minus, said
from players.privacy import named, named_within

register = template.Library()
register.filter("said", said)
register.filter("figure", figure)
register.filter("minus", minus)
register.filter("named", named)
register.filter("named_within", named_within)
