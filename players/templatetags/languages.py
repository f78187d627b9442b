"""Filters for the reader's language."""

from __future__ import annotations

from django import template

from players.languages.texts import figure, said
from players.privacy import named

register = template.Library()
register.filter("said", said)
register.filter("figure", figure)
register.filter("named", named)
