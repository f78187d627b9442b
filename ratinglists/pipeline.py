"""From the inputs of a list to one that is proven: snapshot, computation, validation, recomputation."""

from __future__ import annotations

from players import crashpoints
from ratinglists import archive, recompute, snapshot, validation
from ratinglists.computation import Inputs, Progress, compute
from regulations import lists
from regulations import model as rules


def proven(inputs: Inputs, due: list[tuple[int, str]], progress: Progress) -> rules.ListResult:
    """The list of these inputs. Their snapshot and the canonical list lie in the archive when this returns,
    and the archive alone gives the same list. ``due``: see ``validation.due_reports``.

    Raises Refusal, in words for staff, where something does not hold.
    """
    kept = snapshot.keep(inputs, progress)
    result = compute(inputs, progress)
    validation.check(inputs, result, due)
    pieces = lists.canonical_pieces(inputs.regulation, inputs.given, result)
    listed = archive.store_packed(pieces).sha256
    crashpoints.here("compute: the canonical list is kept")
    recompute.verify(kept, listed, progress)
    crashpoints.here("compute: the list is proven")
    return result
