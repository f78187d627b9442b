"""The admin shows an account the rows that it may work on, and no others (``players.access``)."""

from __future__ import annotations

from django.contrib import admin
from django.forms import ModelChoiceField
from django.http import Http404

from players import access
from players.changelists import BoundedLists


def keep_own(form: type, model, user, rows) -> None:
    """Let the fields of a form made for ``model`` offer and take what is the account's own, and what the
    ``rows`` that it is for hold already. A clerk's new rows belong to a federation of his."""
    limited = access.federations_of(user) is not None
    for name, field in form.base_fields.items():
        # What the form's class declares is shared by all requests.
        if not isinstance(field, ModelChoiceField) or name in form.declared_fields:
            continue
        if limited and access.known(field.queryset.model):
            held = rows.values_list(name, flat=True) if rows is not None else ()
            field.queryset = access.with_kept(field.queryset, user, {pk for pk in held if pk is not None})
            field.required = field.required or name in access.ways(model)


class OwnRows(BoundedLists):
    """Mixin for every admin of the portal."""

    def get_queryset(self, request):
        return access.for_user(super().get_queryset(request), request.user)

    def get_form(self, request, obj=None, change=False, **kwargs):
        form = super().get_form(request, obj, change=change, **kwargs)
        rows = self.model._base_manager.filter(pk=obj.pk) if obj else None
        keep_own(form, self.model, request.user, rows)
        form.by = request.user  # the class is made for this request
        return form

    def lookup_allowed(self, lookup, value, request):
        """What no page of a row shows, no filter in an address finds out: Django lets it try any field."""
        return lookup.split("__")[0] not in (self.exclude or ()) and super().lookup_allowed(
            lookup, value, request
        )

    def _get_obj_does_not_exist_redirect(self, request, opts, object_id):
        # Django leads to the index; what is not one's own is as if it were not there.
        raise Http404


class OwnInline(admin.TabularInline):
    """Rows beside the one that is edited."""

    extra = 0

    def get_formset(self, request, obj=None, **kwargs):
        formset = super().get_formset(request, obj, **kwargs)
        rows = self.model._base_manager.filter(**{formset.fk.name: obj.pk}) if obj else None
        keep_own(formset.form, self.model, request.user, rows)
        return formset
