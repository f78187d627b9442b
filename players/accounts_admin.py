"""Accounts and groups in the admin: whatever changes somebody's rights is kept in the audit log."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db import transaction

from players import audit
from players.audited import AuditedAdmin

User = get_user_model()
admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class AccountAdmin(AuditedAdmin, UserAdmin):
    """An account. Its rights are kept with their values, of the person only which fields changed."""

    audit_values = frozenset({"is_active", "is_staff", "is_superuser", "groups", "user_permissions"})

    def audited_act(self, what: str, changed: dict) -> str:
        rights = what == "changed" and not self.audit_values.isdisjoint(changed)
        return "user.rights-changed" if rights else super().audited_act(what, changed)

    @transaction.atomic
    def user_change_password(self, request, id, form_url=""):
        before = dict(User.objects.filter(pk=id).values_list("pk", "password")) if id.isdecimal() else {}
        answer = super().user_change_password(request, id, form_url)
        for user in User.objects.filter(pk__in=before):
            if user.password != before[user.pk]:
                audit.record("user.password-set", request.user, user)
        return answer


@admin.register(Group)
class RoleAdmin(AuditedAdmin, GroupAdmin):
    """A group of accounts; its permissions are kept with their values."""

    audit_values = None

    def audited_act(self, what: str, changed: dict) -> str:
        return "group.rights-changed" if what == "changed" else super().audited_act(what, changed)
