"""One line per event: time in UTC, level, logger, message, then the extra fields as key=value."""

import logging
import time

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "request", "data"}


class LineFormatter(logging.Formatter):
    """Formats `log.info("list published", extra={"period": 3})` as `… list published period=3`."""

    converter = time.gmtime
    default_msec_format = "%s.%03dZ"
    default_time_format = "%Y-%m-%dT%H:%M:%S"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        extra = (f" {key}={value!r}" for key, value in vars(record).items() if key not in _STANDARD)
        # A line break in a message could forge a second event.
        return (super().formatMessage(record) + "".join(extra)).replace("\r", "\\r").replace("\n", "\\n")
