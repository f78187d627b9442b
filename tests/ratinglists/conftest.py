"""Fixtures for tests that need committed rows."""

import pytest
from django.db import connection

from ratinglists import triggers


@pytest.fixture
def committed_db(transactional_db):
    """A database in which transactions really commit; emptied afterwards past the triggers.

    Emptying sends ``post_migrate``, which puts the triggers back.
    """
    yield
    triggers.remove(connection)
