"""What the short run leaves to the long one."""

from tests.trust.counts import SHORT

#: minutes of building; at each run tests/ratingsite/test_backup.py restores a small portal and
#: test_upgrade.py kills one migrate
collect_ignore = ["test_restoration.py", "test_migrations_killed.py"] if SHORT else []
