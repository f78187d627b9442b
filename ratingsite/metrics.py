"""Figures for Prometheus: requests as they are answered, everything else read when it is asked for.

No figure tells of a person, and every label has few values: names of addresses in the code, states, kinds.
Each web process counts for itself into a file in PORTAL_METRICS_DIR; whichever is asked adds them up.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import time
from collections.abc import Callable, Iterator

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from players.clients import network_of
from ratinglists.software import VERSION
from ratingsite import condition
from ratingsite.logs import view_of
from ratingsite.models import Heartbeat

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
requests = Counter("portal_requests", "Requests answered.", ["view", "status"])
durations = Histogram("portal_request_seconds", "From request to answer.", ["view"], buckets=SECONDS)


def is_on() -> bool:
    return bool(settings.PORTAL_METRICS_TOKEN or settings.PORTAL_METRICS_NETWORKS)


class Counted:
    """Middleware: counts each request by the name of its address and its status. Off with the metrics."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not is_on():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = self.get_response(request)
        view = view_of(request)
        requests.labels(view, str(response.status_code)).inc()
        durations.labels(view).observe(time.perf_counter() - begun)
        return response


class Condition:
    """The figures that are read when they are asked for."""

    def collect(self) -> Iterator[Metric]:
        yield _gauge("portal_info", "Always 1; the label tells the version.", {(VERSION,): 1}, "version")
        try:
            found = list(self._of_the_database())
        except DatabaseError:  # what was counted is told all the same: it shows the faults
            found = []
        yield _gauge("portal_database_up", "Does the database answer?", {(): bool(found)})
        in_queue = condition.messages_in_queue()
        yield _gauge("portal_broker_up", "Does the broker answer?", {(): in_queue is not None})
        if in_queue is not None:
            yield _gauge("portal_queue_messages", "Messages that no worker has taken.", {(): in_queue})
        yield _gauge("portal_archive_free_bytes", "Room for the archive.", {(): condition.free_bytes()})
        yield from found

    def _of_the_database(self) -> Iterator[Metric]:
        now = timezone.now()
        jobs = condition.jobs()
        states = {(each.kind, each.state): each.number for each in jobs}
        yield _gauge("portal_jobs", "Jobs in the ledger.", states, "kind", "state")
        waits = [(now - each.since).total_seconds() for each in jobs if each.state == "queued"]
        oldest = {(): max(waits, default=0)}
        yield _gauge("portal_job_oldest_waiting_seconds", "How long the oldest job waits.", oldest)
        beats = {"queue": Heartbeat.QUEUE, "sweep": Heartbeat.SWEEP}
        ages = {
            (name,): (now - beaten_at).total_seconds()
            for name, who in beats.items()
            if (beaten_at := condition.heartbeat(who))
        }
        yield _gauge("portal_heartbeat_age_seconds", "Since the last sign of life.", ages, "through")
        outbox = {(state,): number for state, number in condition.outbox().items()}
        yield _gauge("portal_outbox_messages", "Messages to staff.", outbox, "state")
        yield _gauge("portal_audit_unsealed", "Audit entries without number.", {(): condition.unsealed()})
        last = condition.last_publication()
        yield _gauge("portal_publications", "Publications so far.", {(): last.number if last else 0})
        if last:
            at = {(): last.published_at.timestamp()}
            yield _gauge("portal_last_publication_timestamp_seconds", "When the last one was.", at)
        yield _gauge("portal_database_bytes", "Size of the database.", {(): condition.database_bytes()})


def _gauge(name: str, told: str, values: dict[tuple[str, ...], float], *labels: str) -> Metric:
    found = GaugeMetricFamily(name, told, labels=labels)
    for names, value in values.items():
        found.add_metric(names, value)
    return found


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures as text, for whoever has the token or asks from one of the networks; else 404."""
    if not _may_see(request):
        raise Http404
    own = CollectorRegistry()
    own.register(Condition())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    else:
        counted = REGISTRY
    text = generate_latest(own) + generate_latest(counted)
    return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_see(request: HttpRequest) -> bool:
    if token := settings.PORTAL_METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if hmac.compare_digest(given.encode(), token.encode()):
            return True
    client = network_of(request)
    return bool(client) and any(
        ipaddress.ip_address(client) in network for network in settings.PORTAL_METRICS_NETWORKS
    )
