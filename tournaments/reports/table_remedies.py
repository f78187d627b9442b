"""Remedies in the words of the crosstable form and of tables, where the TRF speaks of its columns."""

from __future__ import annotations

#: Remedies that speak of the form instead of columns of a file.
FORM_REMEDIES = {
    "header-missing": "Fill in the field.",
    "federation-code": "Give the three-letter code of the federation.",
    "date-order": "Correct the start or the end: an event cannot end before it starts.",
    "start-number": "Give a start number from 1 to 9999.",
    "name-missing": "Give the name (Last, First).",
    "name-too-long": "Shorten the name to 33 characters.",
    "sex-unknown": "Give m or w, or leave it open.",
    "rating-unreadable": "Give the rating in digits or leave it blank.",
    "player-federation": "Give a three-letter federation code or leave it blank.",
    "fide-id-cleaned": "Give the FIDE number as bare digits.",
    "fide-id-not-fide": "Give the FIDE number or leave it blank and match the player by hand.",
    "birth-unreadable": "Give the birth date as YYYY/MM/DD; unknown parts as 00.",
    "title-unknown": "Give GM, IM, FM, CM, WGM, WIM, WFM or WCM.",
    "unknown-opponent": "Add the row of the opponent or correct the number.",
    "opponent-mismatch": "Correct the opponent in one of the two rows.",
    "colour-missing": "Type w or b behind the opponent, as in 12w1.",
    "colour-mismatch": "Correct the colour in one of the two rows: one w, one b.",
    "result-mismatch": "Correct the result in one of the two rows so that they mirror each other.",
    "one-sided": "Type + and - in the two rows, or correct the results.",
    "not-finished": "Type the result; the pairing was left out.",
    "unpaired-round": "Clear the cells of rounds that were not played.",
    "no-players": "Type at least two rows.",
    "too-many-players": "At most 2000 rows can be typed; send a file per event.",
}

#: Remedies that speak of CSV and XLSX.
TABLE_REMEDIES = FORM_REMEDIES | {
    "not-trf": "Send a CSV file: text with commas, semicolons or tabs between the cells.",
    "encoding-guessed": "Check the accented letters of the names; save the file as CSV UTF-8.",
    "header-missing": "Add the line above the table, as in # name: Open of the town.",
    "federation-code": "Write the three-letter code of the federation.",
    "date-form": "Write the date as YYYY-MM-DD.",
    "date-unreadable": "Write the date as YYYY-MM-DD.",
    "name-too-long": "Shorten the name to 120 characters.",
    "fide-id-not-fide": "Write the FIDE number, or leave the cell blank; other numbers go to national_id.",
    "points-unreadable": "Write the points as 2.5 or leave the column out.",
    "points-missing": "Write the points of every player or leave the column out.",
    "points-total": "Correct the points or the results; declare other points as in # scoring: W=3 D=1.",
    "rank-unreadable": "Write the rank in digits or leave it blank.",
    "birth-unreadable": "Write the birth date as YYYY-MM-DD or the year alone.",
    "round-date-outside": "Correct the date of the round, or the start and end of the event.",
    "round-count": "Check that no round is missing or too many; otherwise correct the number of rounds.",
    "unfinished": "Send the report when all rounds are played, or correct the number of rounds.",
    "unpaired-round": "Clear the cells of rounds that were not played.",
    "unknown-opponent": "Add the row of the opponent or correct the number.",
    "no-players": "Write a row for each player below the row that names the columns.",
    "no-games": "Fill in results; for a list of entries alone delete the columns of the rounds.",
    "too-many-players": "Split the event: at most 2000 players in one table.",
    "control-character": "Delete the control character; type the cell again.",
    "scoring-unreadable": "Write the scoring as in # scoring: W=3 D=1.",
}
