"""manage.py second_factor reset NAME: for the operator, when an administrator has lost his own."""

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from accounts import second_factor


class Command(BaseCommand):
    help = "Resets a lost second factor: the account sets up a new one at its next sign-in."

    def add_arguments(self, parser) -> None:
        parser.add_argument("what", choices=["reset"])
        parser.add_argument("name", help="the account's user name")

    def handle(self, *args, what: str, name: str, **options) -> None:
        user = get_user_model().objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no account {name!r}.")
        try:
            count = second_factor.reset(user, None)
        except second_factor.Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{name}: {count} factors taken away; a new one is set up at the next sign-in.")
