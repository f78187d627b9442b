import logging

from ratingsite.logs import LineFormatter


def test_one_line_with_extra_fields_and_no_forged_second_line():
    record = logging.makeLogRecord(
        {"name": "jobs", "levelname": "INFO", "msg": "done\nroot: forged", "period": 3}
    )
    line = LineFormatter().format(record)
    assert "\n" not in line
    assert line.endswith(r"INFO jobs done\nroot: forged period=3")
