"""Fill an empty database with an invented federation."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from ratinglists.demo.load import Loader, NotEmpty


class Command(BaseCommand):
    help = __doc__

    def handle(self, **options) -> None:
        try:
            Loader(self.stdout.write).load()
        except NotEmpty as error:
            raise CommandError(str(error)) from error
