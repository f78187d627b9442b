"""Exit status 0 if an address of the portal answers 200: for health checks; the standard library only.

python deploy/check.py http://web:8000/readyz
"""

import os
import sys
import urllib.error
import urllib.request


def main(url: str) -> int:
    host = os.environ.get("PORTAL_HOSTS", "").split(",")[0].strip().lstrip(".")
    request = urllib.request.Request(url, headers={"Host": host} if host else {})  # noqa: S310 - from the unit
    try:
        with urllib.request.urlopen(request, timeout=8) as answer:  # noqa: S310
            return 0 if answer.status == 200 else 1
    except (urllib.error.URLError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
