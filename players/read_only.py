"""Rows that the admin shows and only services write."""

from __future__ import annotations

from django.contrib import admin

from players.own_admin import OwnRows


class ReadOnlyAdmin(OwnRows, admin.ModelAdmin):
    """Rows that staff read; only services write them."""

    actions = None

    def has_add_permission(self, request, obj=None) -> bool:
        return False

    def has_change_permission(self, request, obj=None) -> bool:
        return False

    def has_delete_permission(self, request, obj=None) -> bool:
        return False
