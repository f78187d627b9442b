"""Mutation testing of what mutmut passes over: figures, texts and choices outside functions.

``python tests/mutation_figures.py [--tests FILE ...] MODULE ...``: in a copy, each number, text and truth
value at the level of a module or class (parameters and their articles, tables, readers of JSON) is changed in
turn and the named tests run. Meanings of parameters, documentation and annotations are left alone.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.dont_write_bytecode = True  # or a mutant runs as the one before it
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
sys.path.insert(0, str(Path(__file__).parent))
from mutation import ROOT, prepare  # noqa: E402

_SKIPPED = (ast.FunctionDef, ast.ImportFrom, ast.Import)


def constants(node: ast.AST) -> Iterator[ast.Constant]:
    """Every constant outside functions that is neither annotation nor documentation nor meaning."""
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        if name in ("annotation", "decorator_list") or isinstance(node, ast.Expr):
            continue
        if isinstance(node, ast.Call) and name == "args" and getattr(node.func, "id", "") == "param":
            children = children[:2] + children[3:]
        for child in children:
            if isinstance(child, ast.Constant) and child.value is not None:
                yield child
            elif isinstance(child, ast.AST) and not isinstance(child, _SKIPPED):
                yield from constants(child)


def changed(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    return f"XX{value}" if isinstance(value, str) else value + 1


def survives(folder: Path, tests: list[str]) -> bool:
    """Do all tests pass? In a child that has pytest but not yet the regulations."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    os.chdir(folder)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    import pytest

    os._exit(int(pytest.main(["-x", "-q", *[f"tests/regulations/{each}" for each in tests]])))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", action="append")
    given = parser.parse_args()
    for each in ("hypothesis", "numpy", "pytest"):
        importlib.import_module(each)  # once, before the forks
    tests = given.tests or [""]
    folder = Path(tempfile.mkdtemp(prefix="mutation-"))
    prepare(folder, given.modules, tests)
    assert survives(folder, tests), "the tests fail as it is"
    survivors = 0
    for name in given.modules:
        place = ROOT / "regulations" / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]:
            text = path.read_text(encoding="utf-8")
            copy, lines, tried = folder / path.relative_to(ROOT), text.splitlines(keepends=True), 0
            for node in constants(ast.parse(text)):
                if node.lineno != node.end_lineno:
                    continue
                line = lines[node.lineno - 1].encode()
                value = repr(changed(node.value)).encode()
                new = (line[: node.col_offset] + value + line[node.end_col_offset :]).decode()
                mutated = [*lines[: node.lineno - 1], new, *lines[node.lineno :]]
                copy.write_text("".join(mutated), encoding="utf-8")
                tried += 1
                if survives(folder, tests):
                    survivors += 1
                    print(f"- `{path.relative_to(ROOT)}`: `{line.decode().strip()}` → `{new.strip()}`")
            copy.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: {tried} mutants, {survivors} survivors so far", flush=True)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
