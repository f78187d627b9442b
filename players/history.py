"""What a record was before: former names, and the merges and splits of records."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.names import keys_of


class KeyedQuerySet(models.QuerySet):
    """Rows with a name: what is written in bulk gets the keys of its name, too."""

    def bulk_create(self, objs, *args, **kwargs):
        objs = list(objs)
        for each in objs:
            each.set_keys()
        # Where a conflict rewrites the name it has to rewrite its keys.
        if "name" in (kwargs.get("update_fields") or ()):
            kwargs["update_fields"] = [*dict.fromkeys([*kwargs["update_fields"], *keys_of("")])]
        return super().bulk_create(objs, *args, **kwargs)

    def bulk_update(self, objs, fields, *args, **kwargs):
        objs, fields = list(objs), list(fields)
        if "name" in fields:
            for each in objs:
                each.set_keys()
            fields = [*dict.fromkeys([*fields, *keys_of("")])]
        return super().bulk_update(objs, fields, *args, **kwargs)


class Keyed(models.Model):
    """A row with a ``name`` and its keys (``players.names.keys_of``), which ``save`` keeps."""

    name_key = models.CharField(max_length=240, editable=False, blank=True, db_index=True)
    loose_key = models.CharField(max_length=240, editable=False, blank=True, db_index=True)
    stem_key = models.CharField(max_length=240, editable=False, blank=True, db_index=True)
    given_key = models.CharField(max_length=240, editable=False, blank=True, db_index=True)

    objects = KeyedQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args, **kwargs) -> None:
        self.set_keys()
        if (fields := kwargs.get("update_fields")) is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, *keys_of("")}
        super().save(*args, **kwargs)

    def set_keys(self) -> None:
        for column, key in keys_of(self.name).items():
            setattr(self, column, key)


class FormerName(Keyed):
    """A name that a player had, or that the register had of him; search and suggestions still find it."""

    player = models.ForeignKey("players.Player", on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=120)
    until = models.DateField(default=timezone.localdate, help_text=_("The last day on which it was used."))
    reason = models.CharField(
        max_length=120, blank=True, help_text=_("Marriage, correction of the spelling …")
    )
    public = models.BooleanField(default=True, help_text=_("Shown on the player's public page."))

    class Meta:
        ordering = ["-until", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["player", "name"], name="former_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="former_name_not_empty"),
        ]

    def __str__(self) -> str:
        return self.name


class IdentityChange(models.Model):
    """Two records made one, or one made two: who did it, when, why, and what went from where to where.

    Rows are added and marked undone, never changed otherwise. A merge takes what ``source`` has to
    ``target``, a split takes a part of what ``source`` has to the new record ``target``.
    """

    class Kind(models.TextChoices):
        MERGE = "merge", "merge"
        SPLIT = "split", "split"

    kind = models.CharField(max_length=5, choices=Kind)
    source = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="changes_from")
    target = models.ForeignKey("players.Player", on_delete=models.PROTECT, related_name="changes_to")
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    #: {"rows": {group: [primary keys]}, "filled": {field: [before, after]}, "former_name": key or None}
    moved = models.JSONField(default=dict)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_why = models.TextField("why it was undone", blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("merge or split")
        verbose_name_plural = _("merges and splits")
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["merge", "split"]), name="identity_kind"),
            models.CheckConstraint(condition=~Q(reason=""), name="identity_has_reason"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="identity_two_records"),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True)
                | Q(undone_at__isnull=False, undone_by__isnull=False),
                name="identity_undone_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} (#{self.source_id}) → {self.target} (#{self.target_id})"
