"""Events that a table can hold, for hypothesis; all players invented."""

from datetime import date, timedelta
from fractions import Fraction

from hypothesis import strategies as st

from tournaments.reports.model import Birth, ParsedReport, ReportedGame, ReportedPlayer
from tournaments.reports.playerline import TITLES
from tournaments.reports.scoring import Scoring
from tournaments.reports.text import clean_text

PAIRS = {
    "10": "1-0",
    "01": "0-1",
    "==": "1/2-1/2",
    "+-": "+/-",
    "-+": "-/+",
    "WL": "+/-",
    "DD": "=/=",
    "--": "-/-",
    "+Z": "+/-",
    "0=": "-/-",
}
BYES = {
    "F": "bye-1",
    "+": "bye-1",
    "1": "bye-1",
    "H": "bye-1/2",
    "=": "bye-1/2",
    "Z": "bye-0",
    "-": "bye-0",
    "L": "bye-0",
}
SCORINGS = ({}, {"W": 3, "D": 1, "PAB": 3}, {"PAB": Fraction(1, 2)}, {"ZPB": Fraction(1, 4), "FL": 0})

# Without what XML has no way to write.
characters = st.characters(exclude_characters="\ufffe\uffff", exclude_categories=["Cs"])
texts = st.text(characters, max_size=30).map(clean_text)
dangerous = st.tuples(
    st.sampled_from(["=1+1", "+x", "-x", "@x", "'=x", "''+x", "＝x", "#x", "'x", '"x"']), texts
)
names = (texts | dangerous.map(lambda pair: clean_text(" ".join(pair)))).filter(bool)
codes3 = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3, max_size=3)
births = st.one_of(
    st.just(Birth()),
    st.integers(1880, 2100).map(Birth),
    st.tuples(st.integers(1880, 2100), st.integers(1, 12)).map(lambda parts: Birth(*parts)),
    st.dates(date(1880, 1, 1), date(2100, 12, 31)).map(lambda d: Birth(d.year, d.month, d.day)),
)


@st.composite
def events(draw, entry_list=False):
    numbers = sorted(draw(st.sets(st.integers(1, 9999), min_size=2, max_size=6)))
    scoring = Scoring()
    for code, value in draw(st.sampled_from(SCORINGS)).items():
        scoring.set(code, Fraction(value))
    rounds = 0 if entry_list else draw(st.integers(1, 3))
    games = []
    points = dict.fromkeys(numbers, Fraction(0))
    for round_ in range(1, rounds + 1):
        order = draw(st.permutations(numbers))
        pairs = draw(st.integers(1, len(order) // 2))
        for at in range(pairs):
            white, black = order[2 * at], order[2 * at + 1]
            codes = draw(st.sampled_from(sorted(PAIRS)))
            games.append(ReportedGame(round_, white, black, PAIRS[codes], codes))
            points[white] += scoring.points(codes[0], "w", True)
            points[black] += scoring.points(codes[1], "b", True)
        for number in order[2 * pairs :]:
            code = draw(st.sampled_from([*BYES, "U", ""]))
            points[number] += scoring.points(code, "", False)
            if code:
                games.append(
                    ReportedGame(round_, number, None, BYES.get(code) or scoring.allocated_bye(), code)
                )
    stated = not entry_list and draw(st.booleans())
    size = len(numbers)
    ids = draw(st.lists(st.integers(100_000, 999_999_999), min_size=size, max_size=size, unique=True))
    players = tuple(
        ReportedPlayer(
            start_number=number,
            name=draw(names),
            sex=draw(st.sampled_from(["m", "f", ""])),
            title=draw(st.sampled_from(["", *TITLES])),
            rating=draw(st.none() | st.integers(1, 9999)),
            federation=draw(st.just("") | codes3),
            fide_id=str(fide_id) if entry_list else draw(st.sampled_from(["", str(fide_id)])),
            birth=draw(births),
            points=points[number] if stated else None,
            rank=draw(st.none() | st.integers(1, 9999)),
            national_id=draw(st.sampled_from(["", f"A-{number}", f"08/{number}"])),
            national_rating=draw(st.none() | st.integers(1, 9999)),
            region=draw(st.sampled_from(["", "AND", "=X"])),
        )
        for number, fide_id in zip(numbers, ids, strict=True)
    )
    start = draw(st.dates(date(2000, 1, 1), date(2060, 1, 1)))
    days = draw(st.lists(st.integers(0, 100), max_size=rounds))
    return ParsedReport(
        format="x",
        name=draw(names),
        city=draw(texts),
        federation=draw(st.just("") | codes3),
        start=start,
        end=start + timedelta(days=100),
        type_text=draw(texts),
        chief_arbiter=draw(texts),
        deputies=tuple(draw(st.lists(names, max_size=3))),
        time_control_text=draw(texts),
        round_dates={at: start + timedelta(days=day) for at, day in enumerate(days, start=1)},
        players=players,
        games=tuple(sorted(games, key=lambda g: (g.round, g.white))),
        rounds=rounds,
        rounds_announced=draw(st.none() | st.integers(1, 100)),
        scoring=scoring.declared(),
        entry_list=entry_list,
    )
