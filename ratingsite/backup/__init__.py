"""Backups of the whole portal in one file, and their restoration (docs/operators/backup.md)."""


class BackupError(Exception):
    """A backup cannot be made or restored; the text says why and what to do. Nothing was changed."""
