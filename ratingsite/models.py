from django.db import models


class Heartbeat(models.Model):
    """The last sign of life that came through the queue. One row, id 1."""

    token = models.CharField(max_length=64)
    beaten_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.beaten_at:%Y-%m-%d %H:%M:%S}"
