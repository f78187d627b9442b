"""The answers that an operation may give, for its description."""

from __future__ import annotations

from typing import Any

from ratinglists.api.problems import Problem

#: what the door may say to every request
ALWAYS = (400, 401, 406, 422, 429)


def answers(model: Any, *refusals: int, status: int = 200) -> dict[int, Any]:
    """The good answer and every refusal; a read may also be unchanged since the tag that was sent."""
    unchanged = {304: None} if status == 200 else {}
    return {status: model, **unchanged, **dict.fromkeys(sorted({*ALWAYS, *refusals}), Problem)}


#: what an operation on one row says where there is none
MISSING = 404
