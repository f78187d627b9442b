"""What the short run leaves to the long one."""

from tests.trust.counts import SHORT

#: minutes of building; tests/ratingsite/test_backup.py restores a small portal at each run
collect_ignore = ["test_restoration.py"] if SHORT else []
