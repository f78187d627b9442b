"""Messages of Django's own that its Portuguese lacks or leaves in English, and months, which it writes with a
capital letter."""

from django.utils.translation import gettext_noop as _

MESSAGES = (
    _("Error:"),
    _("Forgotten your login credentials?"),
    _("In case you’ve forgotten, you are:"),
    _("Raw passwords are not stored, so there is no way to see the user’s password."),
    _("“%(value)s” value must be a decimal number."),
    _("“%(value)s” value must be an integer."),
    _("“%(value)s” value must be either None, True or False."),
    _("“%(pk)s” is not a valid value."),
    _("Ensure this value is a multiple of step size %(limit_value)s."),
    _(
        "ManagementForm data is missing or has been tampered with. Missing fields: %(field_names)s. "
        "You may need to file a bug report if the issue persists."
    ),
    _("View"),
    _("January"),
    _("February"),
    _("March"),
    _("April"),
    _("May"),
    _("June"),
    _("July"),
    _("August"),
    _("September"),
    _("October"),
    _("November"),
    _("December"),
)
