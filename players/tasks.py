"""What the workers are told to do: an id in, a service called."""

from __future__ import annotations

from celery import shared_task

from players import player_imports


@shared_task(name="players.run_import")
def run_import(pk: int) -> None:
    player_imports.run(pk)
