from django.core.management.base import BaseCommand, CommandError

from players.roles import ensure_roles


class Command(BaseCommand):
    help = "Makes the groups of accounts (rating officers, clerks, arbiters) with their rights."

    def handle(self, *args, **options) -> None:
        try:
            groups = ensure_roles()
        except LookupError as error:
            raise CommandError(str(error)) from error
        for name, group in groups.items():
            self.stdout.write(f"{name}: {group.permissions.count()} rights")
