"""Accounts and groups in the admin: nobody gives what he lacks, or takes over whoever has more; whatever
changes somebody's rights is kept in the audit log."""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from players import audit, roles
from players.accounts_forms import AccountForm
from players.audited import AuditedAdmin
from players.models import Clerkship
from players.read_only import ReadOnlyAdmin

User = get_user_model()
admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class AccountAdmin(AuditedAdmin, UserAdmin):
    """An account. Its rights are kept with their values, of the person only which fields changed."""

    form = AccountForm
    audit_values = frozenset({"is_active", "is_staff", "is_superuser", "groups", "user_permissions"})
    actions = ("close",)

    def get_fieldsets(self, request, obj=None):
        if obj is None:
            return super().get_fieldsets(request, obj)
        person = {"fields": ("first_name", "last_name", "email")}
        given = (_("Roles"), {"fields": ("is_active", "roles", "clerk_of", "groups")})
        sets = [(None, {"fields": ("username", "password")}), (_("Personal info"), person)]
        if request.user.is_superuser:
            emergency = {"fields": ("is_staff", "is_superuser", "user_permissions")}
            return [*sets, given, (_("For emergencies"), emergency), self._dates()]
        if not self.has_change_permission(request, obj):
            return [*sets, (_("Roles"), {"fields": ("is_active", "groups")}), self._dates()]
        if request.user.pk == obj.pk or not request.user.has_perm(roles.GRANT):
            return [*sets, self._dates()]
        return [*sets, given, self._dates()]

    @staticmethod
    def _dates() -> tuple:
        return _("Important dates"), {"fields": ("last_login", "date_joined")}

    def get_readonly_fields(self, request, obj=None):
        return ("last_login", "date_joined")

    def has_change_permission(self, request, obj=None) -> bool:
        """Whoever has more rights is only looked at: his address or password would give them away."""
        return super().has_change_permission(request, obj) and (
            obj is None or not roles.lacking(request.user, obj)
        )

    def has_delete_permission(self, request, obj=None) -> bool:
        return super().has_delete_permission(request, obj) and (
            obj is None or not roles.lacking(request.user, obj)
        )

    def has_close_permission(self, request) -> bool:
        return request.user.has_perm(roles.GRANT)

    def get_actions(self, request):
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)  # each account is looked at
        return actions

    @admin.action(description=_("Close: nobody can sign in with it any more"), permissions=["close"])
    def close(self, request, queryset) -> None:
        for user in queryset:
            try:
                roles.close(user, by=request.user)
            except roles.NotAllowed as refusal:
                self.message_user(request, str(refusal), messages.ERROR)
            else:
                self.message_user(request, f"{user} is closed.", messages.SUCCESS)

    @transaction.atomic
    def changeform_view(self, request, object_id=None, form_url="", extra_context=None):
        """What is posted is judged by the rights that stand once nobody else can change them."""
        if request.method == "POST":
            named = self.get_object(request, unquote(object_id)) if object_id else None
            request.user = roles.afresh(request.user, *([named] if named else []))[0]
        return super().changeform_view(request, object_id, form_url, extra_context)

    def save_related(self, request, form, formsets, change) -> None:
        super().save_related(request, form, formsets, change)
        if change:
            form.give_roles()

    def audited_act(self, what: str, changed: dict) -> str:
        rights = what == "changed" and not self.audit_values.isdisjoint(changed)
        return "user.rights-changed" if rights else super().audited_act(what, changed)

    @transaction.atomic
    def user_change_password(self, request, id, form_url=""):
        user = self.get_object(request, unquote(id))
        before = user and user.password
        answer = super().user_change_password(request, id, form_url)
        if user is not None:
            user.refresh_from_db(fields=["password"])
            if user.password != before:
                audit.record("user.password-set", request.user, user)
        return answer


@admin.register(Group)
class RoleAdmin(AuditedAdmin, GroupAdmin):
    """A group of accounts; its permissions are kept with their values. Those of the roles are the
    program's (``manage.py roles``); of others nobody changes more than he holds himself."""

    audit_values = None
    actions = None

    def has_change_permission(self, request, obj=None) -> bool:
        return super().has_change_permission(request, obj) and self._within(request, obj)

    def has_delete_permission(self, request, obj=None) -> bool:
        return super().has_delete_permission(request, obj) and self._within(request, obj)

    def _within(self, request, obj) -> bool:
        if obj is None or request.user.is_superuser:
            return True
        return (
            obj.name not in roles.ROLES and not (obj.permissions.all() & roles.beyond(request.user)).exists()
        )

    def get_form(self, request, obj=None, change=False, **kwargs):
        form = super().get_form(request, obj, change=change, **kwargs)
        if "permissions" in form.base_fields:
            field = form.base_fields["permissions"]
            field.queryset = field.queryset.exclude(pk__in=roles.beyond(request.user).values("pk"))
        return form

    def audited_act(self, what: str, changed: dict) -> str:
        return "group.rights-changed" if what == "changed" else super().audited_act(what, changed)


@admin.register(Clerkship)
class ClerkshipAdmin(ReadOnlyAdmin):
    """Who works for which federation; the page of the account changes it."""

    list_display = ("user", "federation", "since")
    list_filter = ("federation",)
    list_select_related = ("user", "federation")
    search_fields = ("user__username",)
