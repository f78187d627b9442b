from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from players.languages.names import SaidNames


class AccountsConfig(SaidNames, AppConfig):
    name = "accounts"
    verbose_name = _("Accounts and invitations")

    def ready(self) -> None:
        from accounts import mails, noting, persons
        from ratinglists.services import swept

        noting.register()
        persons.register()
        swept.connect(lambda **_: mails.sweep(), weak=False, dispatch_uid="accounts.mails")
