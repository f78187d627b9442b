"""Who is suggested for a name and number that do not go together."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from players.models import FormerName, Identifier, IssuingBody, Player
from players.names import keys_of, likeness, loose_key, stem_keys
from players.numbers import could_be_meant, near, one_wrong, slip, transposed
from players.queries import Wanted, search, suggestions, suggestions_for
from tests.factories import make_federation, make_player


def names(found) -> list[str]:
    return [each.player.name for each in found]


def codes(suggestion) -> set[str]:
    return {reason.code for reason in suggestion.reasons}


# --- numbers ------------------------------------------------------------------------------------------

numbers = st.text("0123456789", min_size=5, max_size=11)


@given(numbers)
def test_every_slip_is_told_by_its_kind(number):
    assert all(slip(number, other) == "digit" for other in one_wrong(number))
    assert all(slip(number, other) in ("transposed", "digit") for other in transposed(number))
    assert all(slip(number, other) for other in near(number))
    assert number not in could_be_meant(number)
    assert len(one_wrong(number)) == 9 * len(number)


@given(numbers, numbers)
def test_a_slip_is_found_from_either_side(one, other):
    assert (other in could_be_meant(one)) == bool(slip(one, other))
    assert slip(one, other) == slip(other, one)


def test_numbers_too_short_or_not_of_digits_tell_little():
    assert could_be_meant("1234") == set()
    assert near("AB12345") == set()
    assert slip("9020451", "9020541") == "transposed"
    assert slip("9020451", "902045") == ""
    assert slip("9000001", "9000011") == "digit"
    assert slip("9000009", "9000013") == "near"
    assert slip("9020451", "9040251") == ""


# --- names --------------------------------------------------------------------------------------------

_VARIANTS = {
    "ü": ("ü", "ue", "u", "Ü"), "ö": ("ö", "oe", "o", "ø"), "ä": ("ä", "ae", "a", "æ"), "ß": ("ß", "ss"),
    "ñ": ("ñ", "n"), "å": ("å", "aa", "a"), "j": ("j", "y", "i"), "w": ("w", "v"), "ф": ("ф", "f", "ph"),
    "х": ("х", "h", "kh"), "ж": ("ж", "zh"), "ц": ("ц", "c", "ts", "tz"), "щ": ("щ", "shch"),
    "ю": ("ю", "yu", "iu"),
}  # fmt: skip
#: between two variants stands a letter that forms no digraph with either
_part = st.tuples(st.sampled_from(sorted(_VARIANTS)), st.sampled_from("blmr"))
_word = st.lists(_part, min_size=1, max_size=5)


@st.composite
def spelled_twice(draw):
    spellings = ["", ""]
    for word in draw(st.lists(_word, min_size=1, max_size=4)):
        for at in range(2):
            letters = [draw(st.sampled_from(_VARIANTS[sound])) + plain for sound, plain in word]
            spellings[at] += "b" + "".join(letters) + " "
    return spellings


@given(spelled_twice())
def test_every_spelling_of_the_sounds_has_one_key(pair):
    one, other = pair
    assert loose_key(one) == loose_key(other)
    assert likeness(one, other) in ("same", "spelled")
    assert stem_keys(one) == stem_keys(other)


@given(st.text(max_size=120))
def test_keys_of_any_text_fit_their_columns_and_heed_no_order(text):
    keys = keys_of(text)
    assert all(len(key) <= 240 for key in keys.values())
    assert loose_key(" ".join(reversed(text.split()))) == keys["loose_key"]
    assert likeness(text, text) == ("same" if keys["name_key"] else "")


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Müller, Jürgen", "Mueller, Juergen", "spelled"),
        ("Müller, Jürgen", "MULLER JURGEN", "same"),
        ("Sørensen, Åge", "Soerensen, Aage", "spelled"),
        ("Weiß, Anton", "Weiss, Anton", "same"),
        ("Петров, Юрий", "Petrov, Yuriy", "spelled"),
        ("Петров, Юрий", "Petrov, Juri", "spelled"),
        ("Juan Pérez", "Perez, Juan", "same"),
        ("Perez, J.", "Perez, Juan", "short"),
        ("Perez Garcia, Juan", "Perez, Juan", "short"),
        ("Vidal, Anna", "Vidal, Ana", "spelled"),
        ("Vidal, Annabel", "Vidal, Anabela", "close"),
        ("Vidal, Anna", "Vidal, Pere", ""),
        ("?", "!", ""),
    ],
)
def test_how_names_are_alike(one, other, how):
    assert likeness(one, other) == likeness(other, one) == how


# --- suggestions --------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_swapped_digits_beside_a_sibling():
    """The number reported is her brother's; hers has two digits in the other order."""
    anna = make_player("Vidal, Anna", fide_id="9020541", born=date(2013, 9, 17), sex="f", federation="ESP")
    brother = make_player("Vidal, Pere", fide_id="9020451", born=date(2011, 2, 3), federation="ESP")
    make_player("Roca, Marta", fide_id="9020415", born=1980, sex="f", federation="ESP")
    first, *others = suggestions("Vidal, Anna", "9020451", date(2013, 9, 17), "f", "ESP")
    assert first.player == anna
    assert {"name-same", "number-transposed", "birth-same"} <= codes(first)
    assert "9020541" in str(first.reasons[1])
    assert brother not in [each.player for each in others]


@pytest.mark.django_db
def test_a_sibling_with_a_number_close_by():
    make_player("Vidal, Anabel", fide_id="9020459", born=2013, sex="f")
    found = suggestions("Vidal, Annabell", "9020461", 2013, "f")
    assert names(found) == ["Vidal, Anabel"]
    assert "number-near" in codes(found[0])


@pytest.mark.django_db
def test_homonyms_are_candidates_and_none_is_preferred():
    both = [make_player("Murphy, David", born=year, federation="IRL") for year in (1961, 1984)]
    found = suggestions("Murphy, David", "", None, "m", "IRL")
    assert [each.player for each in found] == both
    assert found[0].weight == found[1].weight
    born = suggestions("Murphy, David", "", 1984, "m", "IRL")
    assert [each.player for each in born] == both[::-1]
    assert "birth-differs" in codes(born[1])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reported", "known"),
    [
        ("Mueller, Juergen", "Müller, Jürgen"),
        ("Soerensen, Aage", "Sørensen, Åge"),
        ("Nunez, Inaki", "Núñez, Iñaki"),
        ("Petrov, Yury", "Петров, Юрий"),
        ("Juan Perez", "Pérez, Juan"),
        ("Juan, Perez", "Pérez, Juan"),
        ("Perez, J.", "Pérez, Juan"),
        ("J. Perez", "Pérez, Juan"),
        ("Perez, Juan", "Pérez, J."),
        ("Perez Garcia, Juan", "Pérez, Juan"),
        ("Perez, Juan", "Pérez García, Juan"),
        ("Vilmarin, Teodro", "Vilmarin, Teodor"),
        ("Vilamrin, Teodor", "Vilmarin, Teodor"),
        ("Teodor Vilmarin", "Vilnarin, Teodor"),
    ],
)
def test_who_is_found_by_the_name_alone(reported, known):
    make_player(known)
    make_player("Somebody, Else")
    assert names(suggestions(reported)) == [known]


@pytest.mark.django_db
def test_a_slip_in_the_number_counts_only_with_a_like_name_or_birthday():
    married = make_player("Roca, Marta", fide_id="9020541", born=date(1990, 5, 4))
    assert suggestions("Vidal, Anna", "9020451") == []
    assert suggestions("Vidal, Anna", "9020451", 1990) == []
    found = suggestions("Vidal, Anna", "9020451", date(1990, 5, 4))
    assert [each.player for each in found] == [married]


@pytest.mark.django_db
def test_numbers_of_other_bodies_only_where_they_may_be_meant():
    player = make_player("Vidal, Anna", fide_id="1234567")
    body = IssuingBody.objects.create(code="XAA", name="Isles")
    Identifier.objects.create(player=player, issuer=body, value="55555")
    row = Wanted("Vidal, Anna", "55556")
    fide = Wanted("Vidal, Anna", "55556", issuers=("FIDE",))
    with_reason, without = suggestions_for([row, fide])
    assert "number-digit" in codes(with_reason[0])
    assert codes(without[0]) == {"name-same"}


@pytest.mark.django_db
def test_former_names_and_merged_records():
    player = make_player("Vidal Roca, Anna")
    FormerName.objects.create(player=player, name="Mora, Anna", reason="marriage")
    old = make_player("Mora, Anna")
    Player.objects.filter(pk=old.pk).update(merged_into=player)
    found = suggestions("Mora, Ana")
    assert [each.player for each in found] == [player]
    assert "name-former" in codes(found[0])
    assert list(search(Player.objects.filter(merged_into=None), "anna mora")) == [player]


@pytest.mark.django_db
def test_what_speaks_against_somebody_ranks_him_lower():
    wrong = make_player("Sanz, Eva", born=1970, sex="m", federation="XBB")
    right = make_player("Sanz, Eva", born=2001, sex="f", federation="ESP", titles=("WFM",))
    found = suggestions("Sanz, Eva", "", 2001, "f", "ESP", "WFM")
    assert [each.player for each in found] == [right, wrong]
    assert {"birth-differs", "sex-differs", "federation-differs"} <= codes(found[1])
    assert "title-same" in codes(found[0])


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "   ", "?!", "1234567", ",", "\u0301", "Ж" * 300])
def test_any_text_is_answered(text):
    make_player("Sanz, Eva")
    assert suggestions(text, text) == []


@pytest.mark.django_db
def test_many_rows_take_as_few_queries_as_one():
    players = [
        make_player(f"Family{chr(97 + n)}, Given", fide_id=str(7_000_000 + 100 * n)) for n in range(20)
    ]
    rows = [Wanted(player.name, str(int(player.fide_id) + 1)) for player in players]
    with CaptureQueriesContext(
        connection,
    ) as one:
        suggestions_for(rows[:1])
    with CaptureQueriesContext(connection) as many:
        found = suggestions_for(rows)
    assert [each[0].player for each in found] == players
    assert len(many) == len(one) <= 10


@pytest.mark.django_db
def test_reads_go_by_an_index():
    """The plan of each query names an index for the keys; nothing reads the register through."""
    make_player("Sanz, Eva", fide_id="9020541")
    with CaptureQueriesContext(connection) as queries:
        suggestions("Sans, Eva M.", "9020451", date(2000, 1, 1))
    asked = [query["sql"] for query in queries]
    assert len(asked) >= 5
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in asked:
            cursor.execute(f"EXPLAIN {'QUERY PLAN ' if connection.vendor == 'sqlite' else ''}{sql}")
            plan = " ".join(str(row) for row in cursor.fetchall())
            assert "SCAN players" not in plan
            assert "Seq Scan on players" not in plan


@pytest.mark.django_db
def test_rows_written_in_bulk_have_their_keys():
    home = make_federation()
    made = Player.objects.bulk_create([Player(name="Müller, Jürgen", federation=home)])[0]
    assert names(suggestions("Mueller, Juergen")) == ["Müller, Jürgen"]
    made.name = "Sanz, Eva"
    Player.objects.bulk_update([made], ["name"])
    assert names(suggestions("Eva Sanz")) == ["Sanz, Eva"]
    made.name = "Roca, Jan"
    made.save(update_fields=["name"])
    made.refresh_from_db()
    assert (made.stem_key, made.given_key) == ("roca i", "ian ro")


@pytest.mark.django_db
def test_somebody_else_of_the_name_does_not_hide_who_is_meant():
    make_player("Vilmarin, Teodor", born=1950)
    meant = make_player("Vilnarin, Teodor", born=1990)
    found = suggestions("Vilmarin, Teodor", "", 1990)
    assert meant in [each.player for each in found]
    own = suggestions(meant.name, "", 1990, without=[meant.pk])
    assert meant not in [each.player for each in own]
