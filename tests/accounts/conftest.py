import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def alone(monkeypatch) -> None:
    """No worker is rung for, and no code counts as used before."""
    monkeypatch.setattr("accounts.mails.ring", lambda: None)
    cache.clear()
