"""What code and templates mark for gettext."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation.template import templatize

#: how many strings belong to a function: context, text, plural
_PLURAL = {"ngettext", "ngettext_lazy", "npgettext", "npgettext_lazy"}
_CONTEXT = {"pgettext", "pgettext_lazy", "npgettext", "npgettext_lazy"}
FUNCTIONS = {"_", "gettext", "gettext_lazy", "gettext_noop"} | _PLURAL | _CONTEXT
_LITERAL = r"""u?(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
_CALL = re.compile(
    rf"\b({'|'.join(sorted(FUNCTIONS, key=len, reverse=True))})\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)"
)


@dataclass(frozen=True)
class Message:
    line: int
    text: str
    plural: str = ""
    context: str | None = None


def messages_of(path: Path) -> Iterator[Message]:
    """What a file marks, in order."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _in_python(source)
        return
    made = templatize(source, origin=path.name)
    for call in _CALL.finditer(made):
        strings = ast.literal_eval(f"[{call[2]}]")
        yield _message(made.count("\n", 0, call.start()) + 1, call[1], strings)


def _in_python(source: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        strings = [
            each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
        if name in FUNCTIONS and strings:
            yield _message(node.lineno, name, strings)


def _message(line: int, function: str, strings: list[str]) -> Message:
    context = strings.pop(0) if function in _CONTEXT else None
    plural = strings[1] if function in _PLURAL else ""
    return Message(line, strings[0], plural, context)
