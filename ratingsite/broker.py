"""Taking messages off the queue: what the portal does not send itself is dropped and said in the log.

Celery ends the worker, or leaves it waiting for ever, on many a message that it did not expect, and the next
worker would get the same one: whoever can write a message to the broker would stop all work. The portal's
own messages name a task and at most an id (what is done is decided by the row in the ledger), so nothing else
is let through: no other content than JSON, no keywords, callbacks, chains, chords, retries, times or limits.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping
from queue import Empty
from typing import Any

from celery import Celery
from celery.worker import consumer
from kombu.transport import redis

log = logging.getLogger(__name__)

#: bytes of a body; the portal's have a hundred
MAX_BODY = 4096
_TAG = re.compile(r"[\w.-]{1,100}", re.ASCII)
#: headers with which Celery does something else than the task, and what they are in our messages
_PLAIN = {"retries": 0, "eta": None, "group": None, "shadow": None}
_OPTIONS = ("callbacks", "errbacks", "chain", "chord")


class Misfit(Exception):
    """A message that the portal does not send; the text says why, in words of the program."""


class Consumer(consumer.Consumer):
    """Celery's, which is given nothing but the portal's own calls."""

    def create_task_handler(self, *arguments: Any, **options: Any) -> Callable:
        take = super().create_task_handler(*arguments, **options)

        def taken(message: Any, *rest: Any) -> None:
            try:
                check_call(message, self.app)
            except Misfit as misfit:
                _dropped(misfit)
                message.reject_log_error(log, self.connection_errors)
            else:
                take(message, *rest)

        return taken


class Channel(redis.Channel):
    """Kombu's, which passes over what is no JSON."""

    def _brpop_read(self, **options: Any) -> bool:
        try:
            return super()._brpop_read(**options)
        except (ValueError, RecursionError) as error:  # it is off the queue already
            _dropped(Misfit("no JSON"))
            raise Empty from error


class Transport(redis.Transport):
    """Kombu's, which passes over what is no message."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str) -> None:
        try:
            check_envelope(message)
        except Misfit as misfit:
            _dropped(misfit)
        else:
            super()._deliver(message, queue)


def check_envelope(message: Any) -> None:
    """Raises Misfit for what Kombu cannot make a message of."""
    if not isinstance(message, Mapping):
        raise Misfit("no message")
    properties = message.get("properties")
    if not isinstance(properties, Mapping) or not isinstance(message.get("headers"), Mapping):
        raise Misfit("no properties or headers")
    told = properties.get("delivery_info")
    if not isinstance(told, Mapping) or not all(isinstance(value, str) for value in told.values()):
        raise Misfit("no delivery_info")
    if not isinstance(tag := properties.get("delivery_tag"), str) or not _TAG.fullmatch(tag):
        raise Misfit("no delivery_tag")
    if properties.get("body_encoding") != "base64" or not isinstance(body := message.get("body"), str):
        raise Misfit("no body")
    if len(body) > 2 * MAX_BODY or not body.isascii():
        raise Misfit("a large body")


def check_call(message: Any, app: Celery) -> None:
    """Raises Misfit for a message that is no plain call of one of the application's tasks."""
    headers = message.headers
    task, name = headers.get("task"), headers.get("id")
    if not isinstance(task, str) or task.startswith("celery.") or task not in app.tasks:
        raise Misfit("no task of the portal")
    if not isinstance(name, str) or not _TAG.fullmatch(name):
        raise Misfit("no id")
    if (message.content_type, message.content_encoding) != ("application/json", "utf-8"):
        raise Misfit("another content type")
    if headers.get("compression") is not None:
        raise Misfit("compressed")
    if any(headers.get(header, plain) != plain for header, plain in _PLAIN.items()):
        raise Misfit("retries, times or a group")
    if headers.get("timelimit") != [app.conf.task_time_limit, app.conf.task_soft_time_limit]:
        raise Misfit("other limits of time")
    if not isinstance(headers.get("expires"), str | None):
        raise Misfit("no time in expires")
    _check_body(message.body)


def _check_body(body: bytes | str) -> None:
    if len(body) > MAX_BODY:
        raise Misfit("a large body")
    try:
        arguments, keywords, options = json.loads(bytes(body) if isinstance(body, memoryview) else body)
    except (ValueError, TypeError, RecursionError):
        raise Misfit("a body that is no call") from None
    if not isinstance(arguments, list) or len(arguments) > 1 or not all(map(_is_id, arguments)):
        raise Misfit("arguments that are no id")
    if keywords != {} or not isinstance(options, dict):
        raise Misfit("keywords")
    if any(options.get(option) is not None for option in _OPTIONS):
        raise Misfit("callbacks")


def _is_id(value: object) -> bool:
    """The primary key of a row, or the word by which a sign of life is known again."""
    if isinstance(value, str):
        return bool(_TAG.fullmatch(value))
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**63


def _dropped(misfit: Misfit) -> None:
    log.error("a message was dropped: the portal sends no such ones", extra={"why": str(misfit)})
