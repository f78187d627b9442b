"""Dates as Spanish writes them; what is not named here stays as Django has it."""

DATE_FORMAT = SHORT_DATE_FORMAT = "d/m/Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "d/m/Y H:i"
TIME_FORMAT = "H:i"
YEAR_MONTH_FORMAT = "m/Y"
DECIMAL_SEPARATOR = ","
# The templates name dates in words by these English forms; a format is looked up by its name.
globals().update({"j F Y": r"j \d\e F \d\e Y", "j F": r"j \d\e F", "j F Y, H:i e": r"j \d\e F \d\e Y, H:i e"})
# The browsers' date fields send ISO dates whatever the language.
DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d/%m/%Y"]
