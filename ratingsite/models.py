from django.db import models


class Heartbeat(models.Model):
    """The last sign of life: row 1 of what came through the queue, row 2 of the sweep."""

    QUEUE, SWEEP = 1, 2

    token = models.CharField(max_length=64)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.beaten_at:%Y-%m-%d %H:%M:%S}"
