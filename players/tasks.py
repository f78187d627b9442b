"""What the workers are told to do: an id in, a service called."""

from __future__ import annotations

from celery import shared_task

from players import outbox, player_imports


@shared_task(name="players.run_import")
def run_import(pk: int) -> None:
    player_imports.run(pk)


@shared_task(name="players.send_messages")
def send_messages() -> None:
    outbox.send_waiting()
