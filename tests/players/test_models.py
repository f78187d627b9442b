"""What the database itself refuses, and how names are compared."""

from datetime import date

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from players.models import Federation, Identifier, IssuingBody, Membership, Player, Title
from players.names import compatible_names, name_key, same_name
from players.queries import candidates, search
from tests.factories import make_federation, make_player


def rejected(act) -> bool:
    try:
        with transaction.atomic():
            act()
    except IntegrityError:
        return True
    return False


@pytest.mark.django_db
def test_birth_dates_come_with_their_precision():
    home = make_federation()
    make = Player.objects.create
    assert rejected(lambda: make(name="A, B", federation=home, birth_date=date(1990, 1, 1)))
    assert rejected(lambda: make(name="A, B", federation=home, birth_precision="year"))
    assert not rejected(
        lambda: make(name="A, B", federation=home, birth_date=date(1990, 1, 1), birth_precision="year")
    )


@pytest.mark.django_db
def test_rows_that_make_no_sense():
    home, player = make_federation(), make_player()
    body = IssuingBody.objects.create(code="XAA", name="Isles")
    for make in (
        lambda: Federation.objects.create(code="xaa", name="small letters"),
        lambda: Player.objects.create(name="", federation=home),
        lambda: Player.objects.create(name="A, B", federation=home, sex="x"),
        lambda: Title.objects.create(player=player, code="XX"),
        lambda: Title.objects.bulk_create(Title(player=player, code="FM") for _ in range(2)),
        lambda: Identifier.objects.create(player=player, issuer=body, value=""),
        lambda: Membership.objects.create(
            player=player, federation=home, since=date(2020, 2, 1), until=date(2020, 1, 31)
        ),
        lambda: Membership.objects.bulk_create(
            Membership(player=player, federation=home, since=date(year, 1, 1)) for year in (2020, 2021)
        ),
    ):
        assert rejected(make)


@pytest.mark.django_db
def test_a_number_belongs_to_one_player_in_each_body():
    one, other = make_player(fide_id="9000001"), make_player(fide_id="9000002")
    body = IssuingBody.objects.create(code="XAA", name="Isles")
    fide = IssuingBody.objects.get(code="FIDE")
    assert rejected(lambda: Identifier.objects.create(player=other, issuer=fide, value="9000001"))
    assert not rejected(lambda: Identifier.objects.create(player=other, issuer=body, value="9000001"))
    assert not rejected(lambda: Identifier.objects.create(player=one, issuer=body, value="7"))


@pytest.mark.parametrize(
    ("one", "other", "same", "compatible"),
    [
        ("Núñez, José", "JOSE NUNEZ", True, True),
        ("Sørvald, Åke", "Sorvald Ake", True, True),
        ("Iskander-Vey, Teo", "Iskander Vey, Teo", True, True),
        ("Vilmarin, T.", "Vilmarin, Teo", False, True),
        ("Vilmarin, Teo", "Vilmarin, Teo Quim", False, True),
        ("Vilmarin, Teo", "Vilmarin, Tea", False, False),
        ("", "Vilmarin, Teo", False, False),
    ],
)
def test_names(one, other, same, compatible):
    assert same_name(one, other) is same
    assert compatible_names(one, other) is compatible
    assert compatible_names(other, one) is compatible


@given(st.text(max_size=60))
def test_a_key_is_the_same_in_any_order_of_words(text):
    key = name_key(text)
    assert name_key(" ".join(reversed(text.split()))) == key
    assert name_key(key) == key


@pytest.mark.django_db
def test_search_by_words_and_numbers():
    wanted = make_player("Sørvald, Inés", fide_id="9000077", born=1990)
    twin = make_player("Sørvald, Inés", born=2001)
    make_player("Somebody, Else")
    assert set(search(Player.objects.all(), "ines sorv")) == {wanted, twin}
    assert list(search(Player.objects.all(), "9000077")) == [wanted]
    assert list(search(Player.objects.all(), "?!")) == []
    assert candidates("INES SORVALD", 2001) == [twin, wanted]
