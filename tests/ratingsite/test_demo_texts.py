"""Whatever the demonstration stores of explanations, findings, reasons and messages is found again."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command

from players.models import Player
from players.outbox_model import OutboxMessage
from ratinglists.models import EventResult, Job, ListRow, PlayerResult, RatingList
from tests.languages import changed, english_left
from tournaments.models import RatingSystem, RegistrationCheck, Report, StateChange, Tournament


def stored() -> set[str]:
    """Every text that a page says in the reader's language."""
    found: set[str] = set()
    results = [result.detail for result in PlayerResult.objects.all()]
    for steps in [*(row.steps for row in ListRow.objects.all()), *(d.get("steps", []) for d in results)]:
        for step in steps:
            found |= {step["value"], step.get("text", "")}
    found |= {game["reason"] for detail in results for game in detail.get("uncounted", [])}
    found |= {each["message"] for event in EventResult.objects.all() for each in event.findings}
    found |= {
        event.get("reason") or "" for each in RatingList.objects.all() for event in each.report["events"]
    }
    for report in Report.objects.all():
        found |= {each.get(field, "") for each in report.findings for field in ("message", "remedy")}
    found |= set(StateChange.objects.values_list("reason", flat=True))
    found |= set(RegistrationCheck.objects.values_list("why", flat=True))
    found |= {text for job in Job.objects.all() for text in (job.message, job.stage)}
    found |= {text for message in OutboxMessage.objects.all() for text in (message.subject, message.text)}
    return found - {""}


def names() -> re.Pattern[str]:
    """Words of the invented names, and what the demonstration's people wrote themselves."""
    named = [
        *Player.objects.values_list("name", flat=True),
        *RatingSystem.objects.values_list("name", flat=True),
        *(text for each in Tournament.objects.values_list("name", "city") for text in each),
        "staff approver arbiter trf announced",
    ]
    words = {word for name in named for word in re.findall(r"[^\W\d_]+", name)}
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


@pytest.mark.slow
@pytest.mark.usefixtures("transactional_db")
def test_every_text_of_the_demonstration_is_found_again(monkeypatch):
    monkeypatch.setattr("ratinglists.jobs.ring", lambda job_id: None)
    call_command("load_demo", verbosity=0)
    found = stored()
    assert len(found) > 1000
    assert english_left(found, names()) == {}
    assert changed(found) == {}
