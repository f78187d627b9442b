"""The Celery application. Its settings are CELERY_* in ratingsite.settings.

The database is the ledger and the queue only a doorbell: a message that cannot be sent is logged and
dropped, since the sweep rings again for every job row left waiting.
"""

import logging
import os
from collections.abc import Iterable, Mapping
from typing import Any

from celery import Celery, Task
from celery.signals import beat_init, worker_init
from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratingsite.settings")

log = logging.getLogger(__name__)

# A request that rings must go on within seconds even when the broker is frozen.
RINGING_SECONDS = 2


class Doorbell(Task):
    """A task whose sending is bounded in time and never raises because of the broker."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The work, if its arguments are ids: whoever can write into the queue can hand over nothing else."""
        refuse_others(self.name, args, kwargs)
        return super().__call__(*args, **kwargs)

    def apply_async(self, args: Any = None, kwargs: Any = None, producer: Any = None, **options: Any) -> Any:
        """Sends the message; returns None when the broker did not take it within RINGING_SECONDS."""
        refuse_others(self.name, args or (), kwargs or {})
        if producer or self.app.conf.task_always_eager:
            return super().apply_async(args, kwargs, producer=producer, **options)
        try:
            with producers[_ringing_connection(self.app)].acquire(
                block=True, timeout=RINGING_SECONDS
            ) as bell:
                return super().apply_async(args, kwargs, producer=bell, **{"retry": False, **options})
        except (OperationalError, OSError, self.app.pool.LimitExceeded) as error:
            log.warning("the broker did not take a message", extra={"task": self.name, "error": str(error)})
            return None


def refuse_others(task: str, args: Iterable[Any], kwargs: Mapping[str, Any]) -> None:
    """Raises TypeError unless every argument is a whole number that a row can have for its key."""
    if not all(type(each) is int and 0 <= each < 1 << 63 for each in (*args, *kwargs.values())):
        raise TypeError(f"The task {task} takes ids only.")


def _ringing_connection(app: Celery) -> Connection:
    bounds = {"socket_timeout": RINGING_SECONDS, "socket_connect_timeout": RINGING_SECONDS}
    # Kombu by itself tries again for six seconds to open a connection.
    bounds |= {"max_retries": 0, "interval_start": 0, "interval_step": 0, "interval_max": 0}
    transport_options = {**app.conf.broker_transport_options, **bounds}
    return Connection(app.conf.broker_url, transport_options=transport_options)


TRANSPORT_ALIASES["redis"] = "ratingsite.broker:Transport"
app = Celery("portal", task_cls=Doorbell)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def refuse_unsafe(**_: Any) -> None:
    from ratingsite.checks import refuse_unsafe_start

    try:
        refuse_unsafe_start()
    except Exception as error:  # Celery would log it and go on; only SystemExit ends the process
        raise SystemExit(str(error)) from error
