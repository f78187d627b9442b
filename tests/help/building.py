"""The help built as a site; a broken link, or a page that no menu names, fails it."""

from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

ROOT = Path(__file__).resolve().parent.parent.parent


def built(folder: Path) -> Path:
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder)))
    return folder
