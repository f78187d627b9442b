"""A regulation that another package brings, as docs/developers/own-regulation.md tells it."""

import json
import os
import subprocess
import sys

import pytest

from regulations import cli, registry
from tests.example import FOLDER, installed
from tests.regulations import test_every_list, test_every_regulation

ROOT = FOLDER.parent.parent
#: what holds under every regulation
HOLDING = [
    test
    for module in (test_every_regulation, test_every_list)
    for name, test in vars(module).items()
    if name.startswith("test_") and module.every.mark in test.pytestmark
]
EVENT = {
    "regulation": "norrholm-2024",
    "event": {"system": "swiss", "start": "2024-03-06", "end": "2024-03-07"},
    "players": [{"id": "ada", "rating": 1850}, {"id": "bo", "rating": 1700}],
    "games": [{"round": 1, "white": "ada", "black": "bo", "result": "1-0"}],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("installed")


@pytest.fixture(scope="module")
def example(folder):
    with installed(folder) as regulation:
        yield regulation


def run(folder, *arguments, **more):
    path = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-m", *arguments], env=os.environ | {"PYTHONPATH": path}, capture_output=True, **more
    )


def test_the_calculator_rates_by_it(example, folder):
    said = run(folder, "regulations", "rate", "-", input=json.dumps(EVENT).encode())
    assert [each["change"] for each in json.loads(said.stdout)["players"]] == ["6", "-6"]


def test_its_own_tests_pass_with_nothing_but_the_portal_on_the_path(example, folder):
    said = run(folder, "pytest", "-q", "-c", os.devnull, "-p", "no:django", FOLDER / "tests", cwd=folder)
    assert said.returncode == 0, said.stdout.decode()


@pytest.mark.parametrize("holds", HOLDING, ids=lambda each: each.__name__)
def test_what_holds_under_every_regulation_holds_under_it(example, holds):
    holds(regulation=example)


def test_another_reading_of_it(example):
    changed = cli.answer("rate", EVENT, ["k=10"])
    assert [each["change"] for each in changed["players"]] == ["3", "-3"]
    assert registry.get("norrholm-2024").parameters["k"].article == "2.3"
