"""A release's database and archive brought to this version, and everything looked at.

    python -m tests.releases.upgraded TEMPLATE

The database is that of PORTAL_DATABASE_URL, made anew from TEMPLATE, the archive that of PORTAL_VAR. Prints
what was looked at as JSON.
"""

from __future__ import annotations

import json
import os
import sys

import django


def main() -> dict:
    from django.core.management import call_command

    from tests.releases import databases

    databases.renew(sys.argv[1])
    before = databases.contents()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("roles", stdout=sys.stderr)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("check", "--database", "default", "--fail-level", "ERROR", stdout=sys.stderr)
    call_command("audit", "verify", stdout=sys.stderr)
    call_command("verify", stdout=sys.stderr)
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
    return {"lists": _lists(), "pages": _pages(), "tables": len(before)}


def _lists() -> int:
    """Each list computed again from the reports as they were sent, to the same bytes."""
    from django.core.management import call_command

    from ratinglists.models import RatingList

    computed = [each for each in RatingList.objects.all() if each.report.get("sources")]
    for each in computed:
        given = [each.period.system_id, f"{each.list_date}", "--revision", f"{each.revision}"]
        call_command("recompute", *given, stdout=sys.stderr)
    return len(computed)


def _pages() -> int:
    """Every address with every object, as the public and as a superuser: no fault."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tests.ratinglists.canary_urls import addresses

    asked = {}
    for name, where in addresses():
        asked.setdefault(name, []).append(where)
    chosen = [where for all_of_it in asked.values() for where in dict.fromkeys((all_of_it[0], all_of_it[-1]))]
    everybody, chief = Client(), Client()
    chief.force_login(get_user_model().objects.create_superuser("chief"))
    number = 0
    for client in (everybody, chief):
        for where in chosen:
            if "logout" in where or where.startswith(("/healthz", "/readyz")):
                continue
            answer = client.get(where, HTTP_HOST="127.0.0.1")
            b"".join(answer) if answer.streaming else answer.content
            if answer.status_code >= 500:
                raise SystemExit(f"{where} answers {answer.status_code}.")
            number += answer.status_code == 200
    ready = everybody.get("/readyz", HTTP_HOST="127.0.0.1")
    if ready.status_code != 200:
        raise SystemExit(f"/readyz: {ready.content.decode()}")
    return number


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "ratingsite.settings"
    django.setup()
    print(json.dumps(main()))
