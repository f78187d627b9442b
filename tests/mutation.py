"""Mutation testing of ``regulations``: ``python tests/mutation.py [--keep FOLDER] [module ...]``.

Works on a copy, with mutmut (requirements-mutation.txt) in the Python that runs it. A module is a file
or a package of ``regulations``, such as ``exact`` or ``fide_standard_2004``; without one, all of them.
Ends with 1 if a mutant survives that docs/developers/regulations/mutation.md does not list with its reason.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
KNOWN = ROOT / "docs/developers/regulations/mutation.md"
LISTED = re.compile(r"^- `([^`]+)`: `([^`]*)` → `([^`]*)`", re.MULTILINE)
STATUS = {0: "survived", 1: "killed", 3: "killed", 5: "untested", 33: "untested", 34: "skipped"}
CONFTEST = """
from hypothesis import Phase, settings

FEW = settings(max_examples=8, derandomize=True, database=None, deadline=None, phases=[Phase.generate])


def pytest_collection_modifyitems(items):
    for item in items:
        if hasattr(item.obj, "_hypothesis_internal_use_settings"):
            item.obj._hypothesis_internal_use_settings = FEW
"""


def unwrap(path: Path) -> None:
    """Take properties and cached functions, which mutmut passes over, out of their decorators; what is
    remembered would also hide from mutmut which tests need a function."""
    text = path.read_text(encoding="utf-8")
    lines, found = text.splitlines(), []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and len(node.decorator_list) == 1:
            found.append((node, ast.unparse(node.decorator_list[0])))
    for node, wrapper in sorted(found, key=lambda each: -each[0].lineno):
        if wrapper == "property":
            lines.insert(node.end_lineno, f"    {node.name} = property(of_{node.name})")
            lines[node.lineno - 1] = lines[node.lineno - 1].replace(f"def {node.name}", f"def of_{node.name}")
        elif wrapper.startswith(("cache", "lru_cache")):
            lines.insert(node.end_lineno, f"{node.name}.cache_clear = lambda: None")
        else:
            continue
        lines[node.decorator_list[0].lineno - 1] = ""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def prepare(folder: Path, modules: list[str], tests: list[str]) -> None:
    """The copy, with a configuration of its own; what an earlier run killed there stays killed."""
    for meta in (folder / "mutants").rglob("*.meta"):
        known = json.loads(meta.read_text(encoding="utf-8"))
        codes = {name: code if code in (1, 3) else None for name, code in known["exit_code_by_key"].items()}
        meta.write_text(json.dumps({**known, "exit_code_by_key": codes}), encoding="utf-8")
    for path in folder.glob("mutants/mutmut-stats.json"):  # or it begins anew for other tests
        stats = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**stats, "config_fingerprint": {}}), encoding="utf-8")
    for name in ("regulations", "tests/regulations"):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder / "regulations").rglob("*.py"):
        unwrap(path)
    (folder / "tests/regulations/test_code_table.py").unlink()  # reads the documents
    (folder / "tests/conftest.py").write_text(CONFTEST, encoding="utf-8")
    packages = {path.name for path in (ROOT / "regulations").iterdir() if path.is_dir()}
    wanted = [f"regulations/{name}{'/*' if name in packages else '.py'}" for name in modules or ["*"]]
    chosen = [f"tests/regulations/{each}" for each in tests]
    (folder / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\npythonpath = ["."]\naddopts = "--import-mode=importlib"\n'
        f'[tool.mutmut]\nsource_paths = ["regulations"]\nonly_mutate = {json.dumps(wanted)}\n'
        f"pytest_add_cli_args_test_selection = {json.dumps(chosen)}\n"
        "use_git_change_detection = false\ntimeout_multiplier = 4.0\n",
        encoding="utf-8",
    )


def change(mutant: str, path: Path) -> tuple[str, str, str]:
    """Function, the line as it is, and the line as the mutant has it."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    shown = get_diff_for_mutant(mutant, path=path).splitlines()
    lines = [line for line in shown if line[:1] in "-+" and line[:3] not in ("---", "+++")]
    old, new = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    name = re.sub(r"__mutmut_\d+$", "", mutant).removeprefix("regulations.")
    name = re.sub(r"\.xǁ(\w+)ǁ|\.x_", lambda match: f".{match[1]}." if match[1] else ".", name)
    return name, old.replace("`", "'"), new.replace("`", "'")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--keep", type=Path, help="work here and take up what an earlier run left")
    parser.add_argument("--tests", action="append", help="only this file of tests/regulations, any number")
    parser.add_argument("--children", default="1", help="processes at a time")
    given = parser.parse_args()
    folder = given.keep.resolve() if given.keep else Path(tempfile.mkdtemp(prefix="mutation-"))
    prepare(folder, given.modules, given.tests or [""])
    command = [Path(sys.executable).with_name("mutmut"), "run", "--max-children", given.children]
    subprocess.run(command, cwd=folder, check=True)

    listed = {match.groups() for match in LISTED.finditer(KNOWN.read_text(encoding="utf-8"))}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    found, unknown = set(), 0
    os.chdir(folder)  # where mutmut looks for its copy
    for meta in sorted((folder / "mutants/regulations").rglob("*.meta")):
        module = str(meta.relative_to(folder / "mutants/regulations")).removesuffix(".py.meta")
        if given.modules and module.split("/")[0] not in given.modules:
            continue
        for mutant, code in json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"].items():
            status = STATUS.get(code, "timeout")
            counts[module][status] += 1
            if status in ("survived", "untested"):
                each = change(mutant, meta.relative_to(folder / "mutants").with_suffix(""))
                found.add(each)
                if each not in listed:
                    unknown += 1
                    print("- `{}`: `{}` → `{}`".format(*each), f"({status}, {mutant})")
    for module, count in counts.items():
        print(f"{module}: {count.total()} mutants, " + ", ".join(f"{n} {name}" for name, n in count.items()))
    for each in sorted(listed - found):
        if not given.modules or each[0].split(".")[0] in given.modules:
            print("No longer survives:", *each)
    total = sum(counts.values(), Counter())
    survivors = total["survived"] + total["untested"]
    print(f"{total.total()} mutants, {survivors} survived ({unknown} without a reason).")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
