"""What holds for every report: it reads back as written, and no bytes make the reader fail."""

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reports.trf_text import HEAD, cell, player, report
from tournaments.reports import formats
from tournaments.reports.layout import MAX_ROUNDS, NAME_WIDTH
from tournaments.reports.model import Birth, ParsedReport, ReportedGame, ReportedPlayer, ReportedTeam
from tournaments.reports.playerline import TITLES
from tournaments.reports.scoring import Scoring
from tournaments.reports.text import clean_text
from tournaments.reports.trf16 import parse, write
from tournaments.reports.trf_national import ID_WIDTH
from tournaments.reports.trf_teams import TEAM_NAME_WIDTH

PAIR_CODES = {
    "10": "1-0",
    "01": "0-1",
    "==": "1/2-1/2",
    "+-": "+/-",
    "-+": "-/+",
    "WL": "+/-",
    "LW": "-/+",
    "DD": "=/=",
    "--": "-/-",
    "+Z": "+/-",
    "0=": "-/-",
    "00": "-/-",
}
BYE_CODES = {"F": "bye-1", "+": "bye-1", "H": "bye-1/2", "Z": "bye-0", "-": "bye-0"}
SCORINGS = ({}, {"W": 3, "D": 1, "PAB": 3}, {"PAB": Fraction(1, 2)}, {"ZPB": Fraction(1, 4), "FL": 0})

text = st.text(max_size=40).map(clean_text)
names = st.text(min_size=1, max_size=60).map(lambda t: clean_text(clean_text(t)[:NAME_WIDTH])).filter(bool)
team_names = st.text(max_size=40).map(lambda t: clean_text(clean_text(t)[:TEAM_NAME_WIDTH]))
national_ids = st.text("ABCXYZ0123456789-/", max_size=ID_WIDTH).filter(lambda t: t.strip("0"))
codes3 = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3, max_size=3)
# Some three letters are tags of programs, and no federation has them.
ratings_of = codes3.filter(lambda code: code[:2] not in ("BB", "XX") and code not in ("DAT", "DDD"))
births = st.one_of(
    st.just(Birth()),
    st.integers(1880, 2100).map(Birth),
    st.tuples(st.integers(1880, 2100), st.integers(1, 12)).map(lambda parts: Birth(*parts)),
    st.dates(date(1880, 1, 1), date(2100, 12, 31)).map(lambda d: Birth(d.year, d.month, d.day)),
)


@st.composite
def events(draw):
    numbers = sorted(draw(st.sets(st.integers(1, 9999), min_size=2, max_size=7)))
    scoring = Scoring()
    for code, value in draw(st.sampled_from(SCORINGS)).items():
        scoring.set(code, Fraction(value))
    rounds = draw(st.integers(1, 4))
    games: list[ReportedGame] = []
    points = dict.fromkeys(numbers, Fraction(0))
    for round_ in range(1, rounds + 1):
        order = draw(st.permutations(numbers))
        pairs = draw(st.integers(1, len(order) // 2))
        for at in range(pairs):
            white, black = order[2 * at], order[2 * at + 1]
            codes = draw(st.sampled_from(sorted(PAIR_CODES)))
            games.append(ReportedGame(round_, white, black, PAIR_CODES[codes], codes))
            points[white] += scoring.points(codes[0], "w", True)
            points[black] += scoring.points(codes[1], "b", True)
        for number in order[2 * pairs :]:
            code = draw(st.sampled_from([*BYE_CODES, "U", ""]))
            points[number] += scoring.points(code, "", False)
            if code:
                result = BYE_CODES.get(code) or scoring.allocated_bye()
                games.append(ReportedGame(round_, number, None, result, code))
    ids = draw(
        st.lists(st.integers(100_000, 999_999_999), min_size=len(numbers), max_size=len(numbers), unique=True)
    )
    players = tuple(
        ReportedPlayer(
            start_number=number,
            name=draw(names),
            sex=draw(st.sampled_from(["m", "f", ""])),
            title=draw(st.sampled_from(["", *TITLES])),
            rating=draw(st.none() | st.integers(1, 9999)),
            federation=draw(st.just("") | ratings_of),
            fide_id=draw(st.sampled_from(["", str(fide_id)])),
            birth=draw(births),
            points=points[number],
            rank=draw(st.none() | st.integers(1, 9999)),
        )
        for number, fide_id in zip(numbers, ids, strict=True)
    )
    national = draw(st.lists(national_ids, min_size=len(numbers), max_size=len(numbers), unique_by=str.upper))
    players = tuple(
        replace(
            player,
            national_id=draw(st.sampled_from(["", number])),
            national_rating=draw(st.none() | st.integers(1, 9999)),
            region=draw(st.just("") | codes3),
        )
        if player.federation
        else player
        for player, number in zip(players, national, strict=True)
    )
    federation = draw(ratings_of)
    players = tuple(
        replace(player, national_federation=draw(st.just("") | ratings_of.filter(federation.__ne__)))
        if player.national_id or player.region or player.national_rating
        else player
        for player in players
    )
    start = draw(st.dates(date(1901, 1, 1), date(2098, 1, 1)))
    days = draw(st.lists(st.integers(0, 100), max_size=rounds))
    return ParsedReport(
        format="trf16",
        name=draw(text.filter(bool)),
        city=draw(text),
        federation=federation,
        start=start,
        end=start + timedelta(days=100),
        type_text=draw(text),
        chief_arbiter=draw(text),
        deputies=tuple(draw(st.lists(text.filter(bool), max_size=3))),
        time_control_text=draw(text | st.sampled_from(["90+30", "40/90+30/30", "15 minutes"])),
        round_dates={at: start + timedelta(days=day) for at, day in enumerate(days, start=1)},
        players=players,
        games=tuple(sorted(games, key=lambda g: (g.round, g.white))),
        rounds=rounds,
        rounds_announced=draw(st.none() | st.integers(1, MAX_ROUNDS)),
        scoring=scoring.declared(),
        teams=draw(teams(numbers)),
    )


@st.composite
def teams(draw, numbers):
    """Some of the players in some teams, numbered from 1."""
    order = draw(st.permutations(numbers))
    cuts = sorted(draw(st.lists(st.integers(0, len(order)), max_size=4)))
    return tuple(
        ReportedTeam(at, draw(team_names), tuple(order[first:last]))
        for at, (first, last) in enumerate(pairwise(cuts), start=1)
    )


@pytest.mark.parametrize("code", ["trf16", "trf26"])
@settings(max_examples=150, deadline=None)
@given(event=events())
def test_a_written_report_reads_back_equal_and_without_errors(code, event):
    each = formats.by_code(code)
    content = each.write(event)
    again = formats.parse(content)
    assert again.format == code
    assert again.errors == ()
    assert again == event
    assert each.write(again) == content


@settings(max_examples=50, deadline=None)
@given(event=events(), data=st.data())
def test_trf26_keeps_numbers_of_teams_and_points_without_a_result(event, data):
    numbers = data.draw(st.lists(st.integers(1, 999), min_size=len(event.teams), unique=True))
    event = replace(
        event,
        teams=tuple(replace(team, number=n) for team, n in zip(event.teams, numbers, strict=False)),
    )
    if not event.teams:
        more = data.draw(st.integers(0, 4).map(lambda n: Fraction(n, 2)))
        event = replace(
            event,
            players=tuple(replace(p, points=p.points + more) for p in event.players),
            rounds_announced=None,
        )
    again = formats.parse(formats.by_code("trf26").write(event))
    assert again.errors == ()
    assert again == event


def test_a_name_that_is_too_long_is_cut_so_that_no_column_moves():
    event = parse(SAMPLE)
    long = ReportedPlayer(1, "A" * 60, points=Fraction(1))
    line = next(line for line in write(ParsedReport("x", players=(long,))).splitlines() if line[:3] == "001")
    assert (line[14:47], line[80:84]) == ("A" * 33, " 1.0")
    assert parse(write(event).encode()) == event


SAMPLE = report(
    player(1, "Ibáñez, José", cell(2, "w", "1"), cell("0000", "-", "H"), points="1.5", fide_id="9000061"),
    player(2, "Bruno, Luis", cell(1, "b", "0"), cell(3, "w", "+"), points="1.0"),
    player(3, "Ciro, Pablo", cell("0000", "-", "U"), cell(2, "b", "-"), points="1.0"),
    "XXR 2",
    head=(*HEAD, "142 2", "162  W 1.0    D 0.5"),
)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes_give_a_report_with_findings(data):
    parsed = parse(data)
    assert not parsed.ok


@st.composite
def mutations(draw):
    data = bytearray(SAMPLE)
    for _ in range(draw(st.integers(1, 12))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(["set", "insert", "delete", "repeat"]))
        piece = draw(
            st.binary(min_size=1, max_size=3) | st.sampled_from([b" ", b"\t", b"\r", b"001 ", b"1", b"0000"])
        )
        if kind == "set":
            data[at : at + len(piece)] = piece
        elif kind == "insert":
            data[at:at] = piece
        elif kind == "delete":
            del data[at : at + draw(st.integers(1, 30))]
        else:
            data[at:at] = data[at : at + draw(st.integers(1, 200))]
    return bytes(data)


@settings(max_examples=400, deadline=None)
@given(mutations())
def test_damaged_files_never_raise_and_what_passes_reads_back(data):
    parsed = parse(data)
    for problem in parsed.problems:
        assert problem.severity in ("error", "warning")
        assert problem.message
        assert problem.remedy
    known = {p.start_number for p in parsed.players}
    seen = set()
    for game in parsed.games:
        for number in (game.white, game.black):
            if number is not None:
                assert number in known
                assert (game.round, number) not in seen
                seen.add((game.round, number))
    if parsed.ok and all(len(p.name) <= NAME_WIDTH for p in parsed.players):
        again = parse(write(parsed).encode())
        assert again.players == parsed.players
        assert again.games == parsed.games
