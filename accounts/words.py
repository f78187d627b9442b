"""Texts of allauth that pages show, so that they stand in the portal's catalogues."""

from django.utils.translation import gettext_noop

SHOWN = (
    gettext_noop("Authenticator code"),
    gettext_noop("Code"),
    gettext_noop("Current Password"),
    gettext_noop("Email"),
    gettext_noop("Forgot your password?"),
    gettext_noop("New Password"),
    gettext_noop("New Password (again)"),
    gettext_noop("Passwordless"),
    gettext_noop(
        "Enabling passwordless operation allows you to sign in using just this key, but imposes additional "
        "requirements such as biometrics or PIN protection."
    ),
    gettext_noop("Master key"),
    gettext_noop("Backup key"),
    gettext_noop("Key nr. {number}"),
    gettext_noop("Recovery codes"),
    gettext_noop("Use your password"),
    gettext_noop("Use authenticator app or code"),
    gettext_noop("Use a security key"),
    gettext_noop("You must type the same password each time."),
    gettext_noop("You cannot generate recovery codes without having two-factor authentication enabled."),
)
