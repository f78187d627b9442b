"""The English texts of a module, as templates with named places, read off its syntax tree."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

#: calls whose strings nobody reads on a page, and those that gettext translates
_SILENT = {
    "compile", "getLogger", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "_", "here",
    "info", "debug", "exception", "strftime", "getattr", "hasattr", "field", "TextField", "filter",
    "order_by",
}  # fmt: skip
_LOGGERS = {"log", "logger", "logging"}
_WORDS = re.compile(r"[^\W\d_]{2,}")
#: mails, HTML, JSON, headers, SQL
_NO_TEXT = re.compile(
    r'[<>]|^\{"|filename=|charset=|max-age|SELECT |FROM |^\w+: (before|after|an?|the|its|sent|is) ?\w*$'
)
#: "General 3", "8.21 iii": how a regulation numbers its articles
_ARTICLE = re.compile(r"(General|Fase|Tabla|Objetivos)( \d+)?|[\d.]+[a-z]* [ivx]+")
_PLACE = re.compile(r"\{[a-z0-9_]+\}")
_NAME = re.compile(r"[^a-z0-9_]+")
#: single words that are texts where these calls get them
_SPEAKING = {"Step", "Uncounted"}
_LONGEST = 12
#: arguments that say nothing of what a call gives
_CONTEXT = {"p", "self", "table", "event"}


def templates_of(source: str) -> list[tuple[int, str]]:
    """Line and text of each template, in order."""
    tree = ast.parse(source)
    silent = _docstrings(tree)
    found: list[tuple[int, str]] = []
    _walk(tree, silent, found, alone=False)
    return found


def _docstrings(tree: ast.AST) -> set[ast.AST]:
    return {
        statement.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for statement in node.body
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    }


def _walk(node: ast.AST, silent: set[ast.AST], found: list[tuple[int, str]], *, alone: bool) -> None:
    """``alone``: is a single word a text here?"""
    if node in silent:
        return
    if isinstance(node, ast.Call) and _is_silent(node):
        return
    if isinstance(node, ast.Compare):
        return
    if _speaks(node):
        found += [(node.lineno, text) for text in _variants(node) if _is_text(text, alone)]
        for inner in ast.walk(node):
            if isinstance(inner, ast.FormattedValue):
                _walk(inner.value, silent, found, alone=False)
            elif isinstance(inner, ast.BinOp):
                for side in (inner.left, inner.right):
                    if not _speaks(side):
                        _walk(side, silent, found, alone=False)
        return
    if isinstance(node, ast.ClassDef) and any(_named(base).endswith("Choices") for base in node.bases):
        for each in node.body:
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Tuple):
                _walk(each.value.elts[-1], silent, found, alone=True)
        return
    if isinstance(node, ast.Dict):
        children: list[ast.AST] = list(node.values)
    elif isinstance(node, ast.Subscript):
        children = [node.value]
    elif isinstance(node, ast.arguments):
        children = []
    else:
        children = list(ast.iter_child_nodes(node))
    speaking = isinstance(node, ast.Call) and _called(node) in _SPEAKING
    for child in children:
        _walk(child, silent, found, alone=speaking or (alone and isinstance(node, ast.IfExp)))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_silent(node: ast.Call) -> bool:
    owner = getattr(getattr(node.func, "value", None), "id", "")
    return _called(node) in _SILENT or owner in _LOGGERS


def _speaks(node: ast.AST) -> bool:
    """Is it a string, an f-string, or strings added up?"""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _speaks(node.left) or _speaks(node.right)
    return isinstance(node, ast.JoinedStr)


def _is_text(text: str, alone: bool) -> bool:
    own = _PLACE.sub("", text)
    if _NO_TEXT.search(own) or not _WORDS.search(own) or _ARTICLE.fullmatch(own):
        return False
    if text == own and own.isupper():
        return False
    if alone and text == own and " " not in own:
        return re.fullmatch(r"[a-z]{3,}", own) is not None
    return " " in own.strip() or (" " in text and len(own.strip()) > 2)


def _variants(node: ast.AST) -> list[str]:
    """All texts that the node can make; a choice between strings gives one each."""
    made = ["".join(parts) for parts in itertools.islice(itertools.product(*_parts(node)), _LONGEST)]
    return list(dict.fromkeys(_numbered(text) for text in made))


def _parts(node: ast.AST) -> Iterator[list[str]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield [node.value]
    elif isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield from _parts(value)
    elif isinstance(node, ast.FormattedValue):
        yield from _parts(node.value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _speaks(node):
        yield from _parts(node.left)
        yield from _parts(node.right)
    elif isinstance(node, ast.IfExp) and _constant(node.body) and _constant(node.orelse):
        yield [
            "".join(each) for side in (node.body, node.orelse) for each in itertools.product(*_parts(side))
        ]
    else:
        yield ["{" + name_of(node) + "}"]


def _constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant | ast.JoinedStr) and _speaks(node)


def _numbered(text: str) -> str:
    """The places of one name told apart: ``{opponent}``, ``{opponent2}``."""
    seen: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        seen[found[0]] = number = seen.get(found[0], 0) + 1
        return found[0] if number == 1 else f"{found[0][:-1]}{number}}}"

    return _PLACE.sub(named, text)


def name_of(node: ast.AST) -> str:
    """What a place is called by what fills it."""
    return _NAME.sub("", _named(node).lower()).lstrip("_0123456789") or "value"


def _named(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        if _named(node.value) in ("articles", "article"):
            return "article"
        return f"{_named(node.value)}_id" if node.attr in ("id", "pk") else node.attr
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("article", "join"):
            return "article" if node.func.attr == "article" else _named(node.args[0])
        args = [each for each in node.args if getattr(each, "id", "") not in _CONTEXT]
        return _named(args[0]) if args else _named(node.func)
    if isinstance(node, ast.Subscript | ast.Starred):
        return _named(node.value)
    if isinstance(node, ast.BinOp):
        return _named(node.left)
    if isinstance(node, ast.BoolOp):
        return _named(node.values[0])
    if isinstance(node, ast.IfExp):
        return _named(node.body if not isinstance(node.body, ast.Constant) else node.orelse)
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return _named(node.generators[0].iter)
    return "value"
