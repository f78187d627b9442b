"""Every problem code of the report readers with its remedy, and a collector with a limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tournaments.reports.model import Problem, Severity

#: More findings than this help nobody and would let a hostile file fill the memory.
LIMIT = 500

REMEDIES: dict[str, str] = {
    # the file
    "too-big": "Send one event per file; a report has at most 1 MiB.",
    "too-costly": "Copy the results to a new file of the same kind, or split the event, and send that.",
    "encoding": "Save the file as UTF-8 text.",
    "encoding-guessed": "Check the accented letters of the names; save the file as UTF-8.",
    "not-trf": "Export the event as TRF16 (FIDE report) from the pairing program and send that file.",
    "vega-tdf": "In Vega choose the FIDE report (TRF16), not the national .tdf file.",
    "too-many-players": "Split the event: at most 2000 players in one report.",
    "too-many-rounds": "Split the event: at most 100 rounds in one report.",
    "too-many-problems": "Correct the problems above and send the report again.",
    # lines
    "control-character": "Delete the control character; export the file again if there are many.",
    "tab": "Replace the tab by blanks so that every field stands in its columns.",
    "unknown-tag": "Check the first three characters of the line; it was not read.",
    "unknown-tag-player": "Begin the line with 001 in column 1, or delete it if it is no player.",
    "tag-without-blank": "Leave column 4 blank after the tag; the line was not read.",
    "header-repeated": "Keep one line with this tag.",
    # header
    "header-missing": "Add the line to the file, or fill in the field in the form.",
    "federation-code": "Write the three-letter code of the federation in line 032.",
    "header-too-long": "Shorten the value of the line.",
    "header-meaning": "Put the right value in this line.",
    "date-form": "Write the date as YYYY/MM/DD.",
    "date-unreadable": "Write the date as YYYY/MM/DD.",
    "date-order": "Correct line 042 or 052: an event cannot end before it starts.",
    "dates-swapped": "Check that day and month of lines 042 and 052 are in the order YYYY/MM/DD.",
    "round-date-unreadable": "Write round dates as YY/MM/DD in columns 92-99, 102-109 and so on.",
    "round-date-outside": "Correct line 132, or the start and end of the event.",
    "round-dates": "Give one date for each round in line 132.",
    "player-count": "Check that no player line is missing; otherwise correct line 062.",
    "round-count": "Check that no round is missing or too many; otherwise correct XXR or 142.",
    "unfinished": "Send the report when all rounds are played, or correct XXR or 142.",
    "scoring-unreadable": "Write the scoring as in TRF26 (162) or JaVaFo (XXS W=3).",
    # player lines
    "start-number": "Put a starting rank from 1 to 9999 in columns 5-8.",
    "duplicate-start-number": "Give every player a starting rank of his own.",
    "name-missing": "Write the name (Last, First) in columns 15-47.",
    "name-too-long": "Cut the name to 33 characters (columns 15-47).",
    "columns-shifted": "Check the fields of this player; pad names by characters, not by bytes.",
    "columns-broken": "Put each field of the line in its columns; the columns named must be blank.",
    "sex-unknown": "Write m or w in column 10.",
    "title-unknown": "Write GM, IM, FM, CM, WGM, WIM, WFM or WCM in columns 11-13.",
    "rating-unreadable": "Write the rating in digits in columns 49-52 or leave it blank.",
    "player-federation": "Write a three-letter federation code in columns 54-56.",
    "fide-id-cleaned": "Write the FIDE number as bare digits in columns 58-68.",
    "fide-id-not-fide": "Write the FIDE number in columns 58-68, or leave it blank and match by hand.",
    "duplicate-fide-id": "Two players cannot have the same FIDE number; correct one of them.",
    "birth-unreadable": "Write the birth date as YYYY/MM/DD; unknown parts as 00.",
    "points-unreadable": "Write the points as 11.5 in columns 81-84.",
    "rank-unreadable": "Write the rank in digits in columns 86-89 or leave it blank.",
    "national-unreadable": "Put the fields of the national line in the columns of the player line.",
    "national-player": "Correct the starting rank in columns 5-8, or delete the line.",
    "national-repeated": "Leave one national line for each player.",
    "national-differs": "Check that the national line belongs to this player: columns 5-8.",
    "duplicate-national-id": "Two players cannot have the same national number; correct one of them.",
    "points-missing": "Write the points of the players in columns 81-84.",
    "points-total": "Correct the points or the results; declare scoring other than 1, ½, 0 by XXS (W=3 D=1).",
    "points-blank-bye": "Write half-point byes as H in the round in which they were given.",
    "no-players": "A report needs player lines (001).",
    "no-games": "Send the report when results are there; nothing in it can be rated.",
    # results
    "cell-unreadable": "Write opponent (4 digits), blank, colour, blank, result, then two blanks.",
    "result-unknown": "Use 1 0 = for games, W D L + - without a game, H F U Z for byes.",
    "colour-unknown": "Write w or b for the colour, - without a game.",
    "colour-missing": "Write the colours of this game on both lines.",
    "self-pairing": "Correct the opponent: nobody plays himself.",
    "unknown-opponent": "Add the player line of the opponent or correct the number.",
    "opponent-mismatch": "Correct the opponent on one of the two lines.",
    "two-games": "Leave one game per player and round.",
    "colour-mismatch": "Correct the colour on one of the two lines: one w, one b.",
    "result-mismatch": "Correct the result on one of the two lines so that they mirror each other.",
    "one-sided": "Write + and - with both opponents named, or correct the results.",
    "ruling": "Ask the arbiter: if a game was played, give the result to be rated.",
    "not-finished": "Add the result on both lines; the pairing was left out.",
    "code-without-opponent": "Name the opponent, or use H, F, U or Z for a bye.",
    "unpaired-round": "Delete the cells of rounds that were not paired.",
    # teams, and records about byes and points
    "team-number": "Give every team a number of its own from 1 to 999 in columns 5-7.",
    "team-members": "Write starting ranks of players, right-aligned, every five columns; each in one team.",
    "record-unreadable": "Put the fields of the record in their columns; the line was not read.",
    "record-number": "Correct the number, or add the player or team.",
    "bye-differs": "Correct the record or the result in the player's line.",
    "forfeit-played": "Correct the record, or the results in the players' lines.",
    # typed crosstable
    "cell-text": "Type opponent, colour and result, as in 12w1, or one of H F U Z + - or nothing.",
    "berger-colours": "Check colours and rounds if they were not drawn by the Berger table.",
    # tables
    "too-many-cells": "Split the event: at most 40000 results in one table.",
    "table-columns": "Put a row above the players that names the columns: start_no, name, fide_id, r1, r2 …",
    "table-counted": "Add a column start_no if the opponents mean other numbers.",
    "column-unknown": "Nothing to do if the column is not needed; otherwise give it a known title.",
    "column-twice": "Delete or rename one of the two columns.",
    "too-many-columns": "Delete the columns that are not needed.",
    "round-missing": "Add the column, or number the rounds without gaps.",
    "row-cells": "Put quotes around a cell with a comma in it, or delete what is too much.",
    "csv-quotes": "Close the quotes around the cell, or delete them.",
    "xlsx-damaged": "Open the file in a spreadsheet program, save it as XLSX and send that file.",
    "xlsx-not": "Save the table as XLSX (Excel workbook) or CSV.",
    "xlsx-too-big": "Copy the table to a new workbook and send that; a report has at most 1 MiB.",
    "xlsx-formula": "Put the value in the place of the formula (copy, paste as values).",
    "xlsx-cell": "Type the value of the cell again.",
    "number-missing": "Write the FIDE number or the national number; ask the federation for one.",
    "entries-by-name": "Add a column fide_id or national_id.",
    "head-unknown": "Nothing to do if it is a remark; known are name, city, federation, start, end, arbiter.",
    "head-twice": "Keep one of the two lines.",
    "head-text": "Begin a line about the event with #, as in # name: Open of the town.",
    "head-rounds": "Write a number from 1 to 100.",
    "national-id-twice": "Two players cannot have the same national number; correct one of them.",
    "national-id": "Write the national number in up to 20 letters and digits, or leave it blank.",
    # FEDA 10.31
    "feda-heading": "Put the row below PARA JUGADORES CLASIFICADOS or PARA BLOQUES DE ELO FEDA.",
    "feda-line": "Delete the line, or make it a row: Codigo,name,Sx,Fed,FechaNac,Pto,Jg,Rival.",
    "feda-text": "Nothing to do if the line holds no player.",
    "feda-fields": "Write eight fields with commas between them: Codigo,name,Sx,Fed,FechaNac,Pto,Jg,Rival.",
    "feda-dot": "Write a comma between Jg and Rival.",
    "feda-points-comma": "Write the points with a dot, as in 4.5; a comma ends the field.",
    "feda-name-comma": "Write the name without a comma.",
    "feda-code": "Write the FEDA code in digits; 00000000 if the player has none.",
    "feda-code-none": "Write the player's FEDA code, or move the row to PARA BLOQUES DE ELO FEDA.",
    "feda-sex": "Write m or f.",
    "feda-region": "Write the three letters of the regional federation, as in AND.",
    "feda-date": "Write the birth date as dd-mm-yy.",
    "feda-century": "Read the file for an event whose dates are known.",
    "feda-points": "Write the points as a number of halves, as in 4.5.",
    "feda-points-games": "Correct the points or the games: nobody scores more points than he has games.",
    "feda-games": "Write the number of rated games, 1 to 99; a player without any has no row.",
    "feda-average": "Write the average rating of the opponents in four digits, 1000 to 3000.",
    "feda-duplicate": "Give every player one row.",
    "feda-zero": "Delete the row: an unrated player without a point is not rated (7.1).",
}


class Problems:
    """Collects up to ``LIMIT`` errors and as many warnings; ``remedies`` overrides remedies."""

    def __init__(self, remedies: Mapping[str, str] | None = None) -> None:
        self._remedies = REMEDIES | dict(remedies or {})
        self._found: list[Problem] = []
        self._counts: Counter[str] = Counter()

    def add(
        self,
        severity: Severity,
        code: str,
        field: str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self._counts[severity] += 1
        if self._counts[severity] <= LIMIT:
            self._found.append(Problem(severity, line, column, field, message, self._remedies[code], code))

    def error(self, code: str, field: str, message: str, **place: int | None) -> None:
        self.add("error", code, field, message, **place)

    def warn(self, code: str, field: str, message: str, **place: int | None) -> None:
        self.add("warning", code, field, message, **place)

    def all(self) -> tuple[Problem, ...]:
        """Everything found, in the order of the file."""
        found = sorted(self._found, key=lambda p: (p.line or 0, p.column or 0))
        for severity in ("error", "warning"):
            if (more := self._counts[severity] - LIMIT) > 0:
                code, message = "too-many-problems", f"{more} more {severity}s are not shown."
                found.append(Problem(severity, None, None, "file", message, REMEDIES[code], code))
        return tuple(found)
