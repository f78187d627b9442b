"""Readers, arbiters, officers and an approver at work on a running portal, and what they were answered.

Each is a thread with a connection of its own. Readers' requests are due at times that do not wait for
answers: the time of a request counts from when it was due. Everything goes to 127.0.0.1, and ends at a set
time.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import json
import random
import re
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

TIMEOUT = 30
ROW = re.compile(
    r'<th scope="row"><a href="/players/(\d+)/">[^<]*</a></th>.*?<strong>([^<]*)</strong>', re.DOTALL
)
LIST_HASH = re.compile(r'<dd class="hash">([0-9a-f]{64})</dd>')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
SEALED = re.compile(r'name="token" value="([^"]*)"')


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Told:
    """What everybody noted; added to under a lock."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    statuses: Counter = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    #: (hash of a list, player -> printed rating, whether that is the whole list)
    seen: list[tuple[str, dict[int, str], bool]] = field(default_factory=list)
    #: (player, date of the list, revision or 0, rating) as a profile or the API gave them
    ratings: list[tuple[int, str, int, str]] = field(default_factory=list)
    files: Counter = field(default_factory=Counter)
    acts: Counter = field(default_factory=Counter)
    #: events whose report was sent
    sent: list[int] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def request(self, kind: str, seconds: float, status: int) -> None:
        with self.lock:
            self.seconds.setdefault(kind, []).append(seconds)
            self.statuses[status] += 1

    def fault(self, text: str) -> None:
        with self.lock:
            self.faults.append(text)

    def act(self, what: str) -> None:
        with self.lock:
            self.acts[what] += 1


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Browser:
    """A connection that is kept open, with cookies."""

    def __init__(self, port: int, told: Told, session: str = "") -> None:
        self.port, self.told = port, told
        self.cookies = {"sessionid": session} if session else {}
        self.connection: http.client.HTTPConnection | None = None

    def ask(
        self, kind: str, path: str, *, due: float = 0, body: bytes = b"", expect=(200, 302), **headers: str
    ) -> Answer:
        """One request; ``due``: when it should have been sent."""
        begun = due or time.monotonic()
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            answer = self._sent("POST" if body else "GET", path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.told.fault(f"{kind} {path}: {error!r}")
            self.told.request(kind, time.monotonic() - begun, 0)
            self.connection = None
            return Answer(0, {}, b"")
        self.told.request(kind, time.monotonic() - begun, answer.status)
        if answer.status not in expect:
            self.told.fault(f"{kind} {path}: answers {answer.status}: {answer.body[:200]!r}")
        return answer

    def _sent(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        for attempt in (1, 2):
            fresh = self.connection is None
            if fresh:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
            try:
                self.connection.request(method, path, body or None, headers)
                got = self.connection.getresponse()
                content = got.read()
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # A connection that the server closed while it was idle, as browsers know it.
                self.connection = None
                if fresh or attempt == 2:
                    raise
                continue
            for cookie in got.headers.get_all("Set-Cookie") or ():
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            if got.will_close:
                self.connection = None
            return Answer(got.status, dict(got.headers.items()), content)
        raise AssertionError

    def post(self, kind: str, path: str, page: str, fields: dict[str, str], expect=(200, 302)) -> Answer:
        """A form sent from a page that was opened before."""
        given = {"csrfmiddlewaretoken": TOKEN.search(page)[1], **fields}
        return self.ask(
            kind,
            path,
            body=urlencode(given).encode(),
            expect=expect,
            **{"Content-Type": "application/x-www-form-urlencoded"},
        )

    def upload(self, kind: str, path: str, page: str, name: str, content: bytes) -> Answer:
        mark = "-----------------load"
        begins = f"--{mark}\r\nContent-Disposition: form-data; name="
        head = f'{begins}"csrfmiddlewaretoken"\r\n\r\n{TOKEN.search(page)[1]}\r\n'
        head += f'{begins}"file"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        return self.ask(kind, path, body=body, **{"Content-Type": f"multipart/form-data; boundary={mark}"})


# --- the public -------------------------------------------------------------------------------------


class Reader:
    """Opens what the public opens, so many requests a second."""

    def __init__(self, port: int, told: Told, world: dict, seed: int) -> None:
        self.browser, self.told, self.world = Browser(port, told), told, world
        self.chance = random.Random(seed)
        self.etags: dict[str, str] = {}
        self.listed = f"/lists/{world['system']}/{world['day']}/"
        self.kinds = {
            self.list_page: 24, self.profile: 28, self.search: 11, self.tournament: 9, self.person: 10,
            self.file: 5, self.home: 8, self.history: 5,
        }  # fmt: skip

    def run(self, rate: float, until: float) -> None:
        due = time.monotonic() + self.chance.random() / rate
        while due < until:
            time.sleep(max(0.0, due - time.monotonic()))
            self.chance.choices(list(self.kinds), list(self.kinds.values()))[0](due)
            due += self.chance.expovariate(rate)

    def _player(self) -> int:
        return self.chance.choice(self.world["players"])

    def list_page(self, due: float) -> None:
        number = self.chance.randrange(1, 4)
        page = self.browser.ask("list", f"{self.listed}?page={number}", due=due, expect=(200, 404))
        if page.status == 200 and (known := LIST_HASH.search(page.text)):
            rows = {int(pk): rating.strip("–") for pk, rating in ROW.findall(page.text)}
            with self.told.lock:
                self.told.seen.append((known[1], rows, False))

    def profile(self, due: float) -> None:
        pk = self._player()
        page = self.browser.ask("profile", f"/players/{pk}/", due=due).text
        name = self.world["system_name"]
        card = re.search(
            rf'<h3>{name}</h3>\s*<p class="figure">([^<]*)</p>.*?href="/lists/rapid/([\d-]+)/',
            page,
            re.DOTALL,
        )
        past = re.search(
            rf'<caption>{name}[^<]*</caption>.*?href="/lists/rapid/([\d-]+)/">'
            r'.*?<td class="num">([^<]*?)\s*<',
            page,
            re.DOTALL,
        )
        if not card or not past:
            self.told.fault(f"profile {pk}: no rating on the page")
            return
        if (card[2], card[1]) != past.groups():
            self.told.fault(
                f"profile {pk} is of two lists: now {card[1]} of {card[2]}, history {past.groups()}"
            )
        with self.told.lock:
            self.told.ratings.append((pk, card[2], 0, card[1].strip("–")))

    def search(self, due: float) -> None:
        name = self.chance.choice(self.world["names"])
        self.browser.ask("search", f"/players/?q={quote(name[: self.chance.randrange(3, 7)])}", due=due)

    def tournament(self, due: float) -> None:
        self.browser.ask(
            "tournament", f"/tournaments/{self.chance.choice(self.world['tournaments'])}/", due=due
        )

    def home(self, due: float) -> None:
        self.browser.ask(
            "other", self.chance.choice(("/", "/lists/", "/calendar/", "/federations/")), due=due
        )

    def history(self, due: float) -> None:
        where = self.chance.choice(("history", "statistics", "games"))
        self.browser.ask("other", f"/players/{self._player()}/{where}/", due=due)

    def person(self, due: float) -> None:
        """A program that asks again with the ETag that it was given."""
        pk = self.chance.choice(self.world["players"][:40])
        path = f"/api/v1/players/{pk}"
        known = {"If-None-Match": self.etags[path]} if path in self.etags else {}
        answer = self.browser.ask("api", path, due=due, expect=(200, 304), **known)
        if answer.status != 200:
            return
        self.etags[path] = answer.headers.get("ETag", "")
        for each in json.loads(answer.body)["ratings"]:
            if each["system"] == self.world["system"]:
                with self.told.lock:
                    self.told.ratings.append((pk, each["list_date"], each["revision"], each["printed"]))

    def file(self, due: float) -> None:
        answer = self.browser.ask("file", f"{self.listed[:-1]}.csv", due=due, expect=(200, 302, 404))
        if answer.status == 302:
            answer = self.browser.ask("file", answer.headers["Location"])
        if answer.status == 200:
            with self.told.lock:
                self.told.files[hashlib.sha256(answer.body).hexdigest()] += 1


class Walker:
    """A program that fetches a whole list by cursors, again and again: it stays with the revision of its
    first page."""

    def __init__(self, port: int, told: Told, world: dict) -> None:
        self.browser, self.told, self.world = Browser(port, told), told, world

    def run(self, pause: float, until: float) -> None:
        while time.monotonic() < until:
            self._walk(pause)
            time.sleep(pause)

    def _walk(self, pause: float) -> None:
        asked = {"status": "active", "limit": "60"}
        path = f"/api/v1/lists/{self.world['system']}/{self.world['day']}/rows"
        found, hashes = {}, set()
        while True:
            answer = self.browser.ask("api rows", f"{path}?{urlencode(asked)}", expect=(200, 404))
            if answer.status != 200:
                return
            page = json.loads(answer.body)
            hashes.add(page["sha256"])
            for row in page["items"]:
                if row["player"] in found:
                    self.told.fault(f"a cursor gives {row['player']} twice")
                found[row["player"]] = row["printed"]
            if not page["next"]:
                break
            asked["cursor"] = page["next"]
            time.sleep(pause)
        if len(hashes) != 1:
            self.told.fault(f"a cursor went over {len(hashes)} revisions")
        with self.told.lock:
            self.told.seen.append((hashes.pop(), found, True))


# --- arbiters ---------------------------------------------------------------------------------------


class Arbiter:
    """Signs in, reports his events one after the other, by file, and types a crosstable in between."""

    def __init__(self, port: int, told: Told, world: dict, name: str) -> None:
        self.told, self.name, self.port = told, name, port
        self.browser = Browser(port, told, world["sessions"][name])
        self.events = [each for each in world["events"] if each["by"] == name]

    def run(self, every: float, until: float) -> None:
        self._sign_in()
        for number, event in enumerate(self.events):
            if time.monotonic() > until - 5:
                return
            begun = time.monotonic()
            self._type(event)
            if number % 4 != 3:
                self._report(event)
            time.sleep(max(0.0, begun + every - time.monotonic()))

    def _sign_in(self) -> None:
        """The door itself, in a window of its own: what it asks for beside the password is its business."""
        window = Browser(self.port, self.told)
        page = window.ask("sign in", "/accounts/login/")
        given = {"login": self.name, "password": f"{self.name} of the test"}
        window.post("sign in", "/accounts/login/", page.text, given, (302,))

    def _type(self, event: dict) -> None:
        path = f"/arbiter/{event['pk']}/crosstable/1/"
        page = self.browser.ask("crosstable", path).text
        fields = {"token": SEALED.search(page)[1], "go": ""}
        names = list(dict.fromkeys(re.findall(r'name="([a-z]+)-1"', page)))
        for number, board in enumerate(event["boards"], start=1):
            fields |= {f"{name}-{number}": value for name, value in zip(names, board, strict=True)}
        self.browser.post("crosstable", path, page, fields)
        self.told.act("rounds typed")

    def _report(self, event: dict) -> None:
        path = f"/arbiter/{event['pk']}/upload/"
        page = self.browser.ask("upload page", path).text
        checked = self.browser.upload(
            "upload", path, page, "report.trf", base64.b64decode(event["file"])
        ).text
        sealed = SEALED.search(checked)
        if not sealed:
            self.told.fault(f"event {event['pk']}: the report is refused: {_alerts(checked)}")
            return
        sent = self.browser.post(
            "submit", f"/arbiter/{event['pk']}/submit/", checked, {"token": sealed[1]}, (302,)
        )
        if sent.status == 302:
            self.browser.ask("receipt", sent.headers["Location"])
            self.told.act("reports sent")
            self.told.sent.append(event["pk"])


def _alerts(page: str) -> str:
    return " | ".join(
        re.sub(r"<[^>]+>|\s+", " ", each) for each in re.findall(r"<li.*?</li>", page, re.DOTALL)
    )[:600]


# --- staff ------------------------------------------------------------------------------------------


class Office:
    """An officer who accepts reports, computes, proposes and corrects; an approver who publishes."""

    def __init__(self, port: int, told: Told, world: dict) -> None:
        self.told, self.world = told, world
        self.officer = Browser(port, told, world["sessions"]["staff"])
        self.approver = Browser(port, told, world["sessions"]["approver"])
        self.accepted: list[int] = []

    def run(self, seconds: float, until: float) -> None:
        begun = time.monotonic()
        self._accept(begun + 0.3 * seconds)
        self._publish()
        self._accept(begun + 0.6 * seconds)
        self._correct()
        self._accept(until - 3)

    def _accept(self, until: float) -> None:
        """Whatever was reported, until then; but four events at least."""
        while time.monotonic() < until or len(self.accepted) < 4:
            self.officer.ask("queue", "/queue/")
            for event in [pk for pk in self.told.sent if pk not in self.accepted]:
                page = self.officer.ask("event, staff", f"/admin/tournaments/tournament/{event}/change/").text
                number = re.search(r'name="report" value="(\d+)"', page)
                where = re.search(r'action="([^"]*/accept/?)"', page)
                if not number or not where:
                    self.told.fault(f"event {event} cannot be accepted: {_messages(page)}")
                    return
                self.officer.post("accept", where[1], page, {"report": number[1]})
                self.accepted.append(event)
                self.told.act("reports accepted")
                if time.monotonic() > until and len(self.accepted) >= 4:
                    return
            time.sleep(1)

    def _wait(self, path: str, what: str) -> None:
        """Until the job under way is over, as the page itself asks."""
        for _ in range(240):
            answer = self.officer.ask("progress", path)
            with contextlib.suppress(ValueError):
                state = json.loads(answer.body)
                if state["finished"]:
                    if state.get("state") != "done":
                        self.told.fault(f"{what}: {state}")
                    return
            time.sleep(0.5)
        self.told.fault(f"{what} does not end")

    def _publish(self) -> None:
        at = f"/admin/ratinglists/period/{self.world['period']}/"
        for who, what in ((self.officer, "compute"), (self.officer, "propose"), (self.approver, "approve")):
            page = who.ask("period, staff", f"{at}change/").text
            if f"/ask/{what}/" not in page:
                self.told.fault(f"no button to {what}: {_messages(page)}")
                return
            who.post(what, f"{at}ask/{what}/", page, {})
            if what != "propose":
                self._wait(f"{at}progress/", what)
        self.told.act("lists published")

    def _correct(self) -> None:
        event = self.accepted[0]
        path = f"/admin/ratinglists/correction/event/{event}/"
        page = self.officer.ask("correct", path)
        made = self.officer.post(
            "correct", path, page.text, {"what": "exclude", "reason": "reported twice"}, (302,)
        )
        if made.status != 302:
            return
        at = made.headers["Location"].removesuffix("change/")
        for who, what in (
            (self.officer, "compute"), (self.officer, "propose"), (self.approver, "approve"),
            (self.approver, "publish"),
        ):  # fmt: skip
            page = who.ask("correction, staff", f"{at}change/").text
            if f"/{what}/" not in page:
                self.told.fault(f"no button to {what} the correction: {_messages(page)}")
                return
            who.post(what, re.search(rf'action="([^"]*/{what}/)"', page)[1], page, {})
            if what in ("compute", "publish"):
                self._wait(f"{at}progress/", f"{what} of the correction")
        self.told.act("revisions published")


def _messages(page: str) -> str:
    return re.sub(r"<[^>]+>|\s+", " ", " ".join(re.findall(r'messagelist">.*?</ul>', page, re.DOTALL)))[:300]
