"""Changes to the register, each one transaction."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from players.models import Federation, Identifier, IssuingBody, Player, Title


@transaction.atomic
def add_player(
    *,
    name: str,
    federation: Federation,
    sex: str = "",
    birth_date: date | None = None,
    birth_precision: str = "",
    identifiers: dict[str, str] | None = None,
    titles: tuple[str, ...] = (),
) -> Player:
    """Put a player on the register with his numbers (issuing body -> number) and titles.

    Raises ``django.core.exceptions.ValidationError`` with every fault by field, and writes nothing.
    """
    player = Player(
        name=name, federation=federation, sex=sex, birth_date=birth_date, birth_precision=birth_precision
    )
    player.full_clean()
    player.save()
    for issuer, value in (identifiers or {}).items():
        body, _ = IssuingBody.objects.get_or_create(code=issuer, defaults={"name": issuer})
        identifier = Identifier(player=player, issuer=body, value=value)
        identifier.full_clean()
        identifier.save()
    for code in titles:
        title = Title(player=player, code=code)
        title.full_clean()
        title.save()
    return player
