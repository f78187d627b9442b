"""The options of ./portal: standard library only, so that --help needs nothing installed."""

import argparse


def parser() -> argparse.ArgumentParser:
    # Abbreviations are off, so that a mistyped --re does not erase data.
    options = argparse.ArgumentParser(
        prog="./portal",
        allow_abbrev=False,
        description="Starts the rating portal on this machine. `./portal manage …` runs a Django command.",
    )
    options.add_argument("--port", type=int, default=8000)
    options.add_argument("--host", default="127.0.0.1", help="address to listen on (default: loopback)")
    options.add_argument("--no-demo", action="store_true", help="load no demo data into an empty database")
    options.add_argument("--reset", action="store_true", help="erase the SQLite database first")
    return options
