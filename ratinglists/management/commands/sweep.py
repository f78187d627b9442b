"""Take up jobs whose worker died or whose message was lost; with --loop, every 30 seconds."""

from __future__ import annotations

import logging
import time

from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections

from players import player_imports
from ratinglists import jobs, partition, services

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser) -> None:
        parser.add_argument("--loop", action="store_true", help="go on for ever")
        parser.add_argument("--every", type=float, default=30, metavar="SECONDS")

    def handle(self, *, loop: bool, every: float, **options) -> None:
        while True:
            try:
                services.look_for_due_periods()
                if rung := jobs.sweep():
                    log.info("rang for jobs %s", rung)
                if rung := partition.sweep():
                    log.info("rang for shares %s", rung)
                if rung := player_imports.sweep():
                    log.info("rang for imports of players %s", rung)
            except DatabaseError:
                if not loop:
                    raise
                log.exception("the database cannot be reached; trying again")
            if not loop:
                return
            close_old_connections()
            time.sleep(every)
