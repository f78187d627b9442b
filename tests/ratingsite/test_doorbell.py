"""Sending a task never holds up a request, whatever the broker does."""

import time

import pytest
from celery import Celery

from ratingsite.celery import RINGING_SECONDS, Doorbell, app

# The bound, and what a busy machine adds.
BOUND = RINGING_SECONDS + 2


@pytest.fixture
def bell(private_redis):
    trial = Celery("trial", broker=private_redis.url, task_cls=Doorbell, set_as_current=False)
    trial.conf.update(
        broker_transport_options=app.conf.broker_transport_options,
        task_ignore_result=True,
        task_publish_retry=False,
    )

    @trial.task(name="ring", shared=False)
    def ring() -> None: ...

    yield ring
    trial.close()


def timed(call) -> tuple[object, float]:
    start = time.monotonic()
    return call(), time.monotonic() - start


def test_a_message_arrives(bell, private_redis):
    assert bell.delay() is not None
    assert private_redis.client.llen("celery") == 1


@pytest.mark.parametrize("connected", [True, False])
def test_a_frozen_broker_is_given_up_in_time(bell, private_redis, connected):
    if connected:
        assert bell.delay() is not None
    private_redis.freeze()
    answer, seconds = timed(bell.delay)
    assert answer is None
    assert seconds < BOUND
    private_redis.thaw()
    time.sleep(0.2)
    assert bell.delay() is not None


@pytest.mark.parametrize("connected", [True, False])
def test_a_dead_broker_is_given_up_in_time(bell, private_redis, connected):
    if connected:
        assert bell.delay() is not None
    private_redis.process.kill()
    private_redis.process.wait()
    answer, seconds = timed(bell.delay)
    assert answer is None
    assert seconds < BOUND


def test_without_the_bound_a_frozen_broker_holds_the_caller(bell, private_redis):
    """The control: the same message through the application's own connections takes longer than the bound."""
    bell.app.conf.broker_transport_options = {
        **app.conf.broker_transport_options,
        "socket_timeout": BOUND + 3,
    }
    with bell.app.connection_for_write() as connection, connection.Producer() as producer:
        super(Doorbell, bell).apply_async(producer=producer)
        private_redis.freeze()
        start = time.monotonic()
        with pytest.raises(Exception):  # noqa: B017 - which one is not the point
            super(Doorbell, bell).apply_async(producer=producer, retry=False)
        assert time.monotonic() - start > BOUND
        private_redis.thaw()


def test_settings_of_the_queue():
    """The settings that trials with killed workers and frozen brokers support."""
    conf = app.conf
    assert (conf.task_serializer, conf.accept_content, conf.result_accept_content) == (
        "json",
        ["json"],
        ["json"],
    )
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert (conf.task_soft_time_limit, conf.task_time_limit) == (600, 660)
    assert conf.broker_transport_options["visibility_timeout"] > conf.task_time_limit
    assert conf.task_publish_retry is False
    assert {entry["task"] for entry in conf.beat_schedule.values()} <= set(_registered())


def _registered() -> set[str]:
    app.loader.import_default_modules()
    return set(app.tasks)
