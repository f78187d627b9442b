"""What staff add, change and delete in the admin, kept in the audit log: one entry a save."""

from __future__ import annotations

from datetime import date, datetime

from django.contrib.auth.models import Group, Permission
from django.db import models, transaction

from players import audit
from players.languages.texts import english
from players.own_admin import OwnRows


class AuditedAdmin(OwnRows):
    """Mixin for an admin whose rows are not written by services only.

    An entry names the fields that changed. Values stand in it only for the fields named in
    ``audit_values`` (None: of all fields), since what an entry says of a person stays for ever.
    """

    audit_values: frozenset[str] | None = frozenset()

    def audited_act(self, what: str, changed: dict) -> str:
        """The code of an entry; ``what`` is added, changed or deleted."""
        return f"{self.opts.model_name}.{what}"

    def save_related(self, request, form, formsets, change) -> None:
        super().save_related(request, form, formsets, change)
        changed = self._fields(form)
        rows = [row for formset in formsets for row in self._rows(formset)]
        if change and not changed and not rows:
            return
        data = {"fields": changed} | ({"rows": rows} if rows else {})
        self._keep(request, form.instance, "changed" if change else "added", changed, **data)

    def delete_model(self, request, obj) -> None:
        self._keep(request, obj, "deleted", {})
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request, queryset) -> None:
        for obj in queryset:
            self._keep(request, obj, "deleted", {})
        super().delete_queryset(request, queryset)

    def _keep(self, request, obj: models.Model, what: str, changed: dict, **data) -> None:
        text = f"{english(self.opts.verbose_name)} {what}" + (f": {', '.join(changed)}" if changed else "")
        audit.record(self.audited_act(what, changed), request.user, obj, text, **data)

    def _fields(self, form) -> dict[str, list | None]:
        """The changed fields of a form, with the value before and after where it may be kept."""
        return {
            name: [_plain(form.initial.get(name)), _plain(form.cleaned_data.get(name))]
            if self.audit_values is None or name in self.audit_values
            else None
            for name in form.changed_data
        }

    def _rows(self, formset):
        """The rows beside the one saved, such as a player's titles."""
        key = formset.model._meta.pk.name
        label = formset.model._meta.label_lower
        deleted = formset.deleted_forms if formset.deleted_objects else []
        for form in deleted:
            before = f"{label}:{form.data.get(form.add_prefix(key))}"
            yield {"row": before, "what": "deleted"} | self._said(form.instance)
        saved = {id(row): "added" for row in formset.new_objects}
        saved |= {id(row): "changed" for row, _ in formset.changed_objects}
        for form in formset.forms:
            if what := saved.get(id(form.instance)):
                row = {"row": audit.key_of(form.instance), "what": what, "fields": self._fields(form)}
                yield row | self._said(form.instance)

    def _said(self, row: models.Model) -> dict:
        return {"is": english(row)} if self.audit_values is None else {}


def _plain(value: object) -> object:
    """A field's value as JSON that a reader understands in ten years."""
    if isinstance(value, Permission):
        return f"{value.content_type.app_label}.{value.codename}"
    if isinstance(value, Group):
        return value.name
    if isinstance(value, models.Model):
        return str(value.pk)
    if isinstance(value, models.QuerySet | list | tuple):
        return sorted(str(_plain(each)) for each in value)
    if isinstance(value, date | datetime):
        return value.isoformat()
    return value if value is None or isinstance(value, bool | int | str) else str(value)
