"""Take up jobs whose worker died or whose message was lost; with --loop, every 15 seconds."""

from __future__ import annotations

import logging
import time

from django.core.management.base import BaseCommand
from django.db import Error, close_old_connections

from ratinglists import services

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser) -> None:
        parser.add_argument("--loop", action="store_true", help="go on for ever")
        parser.add_argument("--every", type=float, default=15, metavar="SECONDS")

    def handle(self, *, loop: bool, every: float, **options) -> None:
        while True:
            try:
                services.look_for_due_periods()
                services.sweep()
            except Error:
                if not loop:
                    raise
                log.exception("the database cannot be reached; trying again")
            if not loop:
                return
            close_old_connections()
            time.sleep(every)
