"""Lists of players read: layouts by their header, what is unknown, and every fault with its place."""

import io
import zipfile

import pytest

from players.listformats.model import Faulty, ListedPlayer, ListRating
from players.listformats.reading import PlayerList

FOA = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit"
    "           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\r\n"
)
LEGACY = FOA.replace("FOA ", "")
SINGLE = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit"
    "           FOA OCT26 Gms K  B-day Flag\r\n"
)


def line(number="9100001", name="Normal, Nora", rest="ESP F   WGM  WGM  ", other="", foa="", tail="") -> str:
    """A line of a list; ``foa`` None leaves its column out."""
    between = "" if foa is None else foa.ljust(4)
    return f"{number:<15}{name:<61}{rest:<18}{other:<15}{between}{tail}\r\n"


NORA = line(tail="2301  9   20 2250  0   20 0     0   0  1994  w   ")
UNRATED = ListRating(None, 0, None)


def read(text: str | bytes, name: str = "list.txt", **options) -> list[ListedPlayer | Faulty]:
    data = text.encode() if isinstance(text, str) else text
    return list(PlayerList(io.BytesIO(data), name, **options))


def faults(records) -> list[tuple]:
    return [fault[:3] for record in records if isinstance(record, Faulty) for fault in record.faults]


def test_the_combined_list_of_today():
    (nora,) = read(FOA + NORA)
    assert nora == ListedPlayer(
        line=2,
        number="9100001",
        name="Normal, Nora",
        federation="ESP",
        sex="f",
        title="WGM",
        women_title="WGM",
        standard=ListRating(2301, 9, 20),
        rapid=ListRating(2250, 0, 20),
        blitz=UNRATED,
        birth_year=1994,
        active=True,
    )


def test_the_combined_list_of_old_has_no_foa_column():
    (nora,) = read(LEGACY + line(foa=None, tail="2301  9   20 2250  0   20 0     0   0  1994  w   "))
    assert (nora.foa_title, nora.standard, nora.birth_year) == ("", ListRating(2301, 9, 20), 1994)


@pytest.mark.parametrize(
    ("name", "single", "kind"),
    [
        ("rapid_rating_list.txt", "", "rapid"),
        ("BLITZ.TXT", "", "blitz"),
        ("standard_rating_list.txt", "", "standard"),
        ("list.txt", "blitz", "blitz"),
        ("rapid_rating_list.txt", "standard", "standard"),
    ],
)
def test_a_single_list_is_named_after_its_month_and_its_file_tells_the_kind(name, single, kind):
    data = (SINGLE + line(tail="2301  9   20 1994  w   ")).encode()
    listed = PlayerList(io.BytesIO(data), name, single=single)
    (nora,) = listed
    assert str(listed.list_date) == "2026-10-01"
    assert {rate: getattr(nora, rate) for rate in ("standard", "rapid", "blitz")} == {
        **dict.fromkeys(("standard", "rapid", "blitz")),
        kind: ListRating(2301, 9, 20),
    }


def test_a_single_list_of_no_kind_is_refused():
    (refusal,) = read(SINGLE + line(tail="2301  9   20 1994  w   "))
    assert refusal.fatal
    assert "standard, rapid or blitz" in str(refusal.faults[0])


@pytest.mark.parametrize(
    ("flag", "active"), [("", True), ("w", True), ("i", False), ("wi", False), ("WI", False)]
)
def test_only_an_i_in_the_flag_means_inactive(flag, active):
    (player,) = read(FOA + line(tail=f"2301  9   20 0     0   0  0     0   0  1994  {flag:<4}"))
    assert player.active is active


def test_zero_is_unknown_and_nobody_is_dropped():
    tail = "2100  0   0  0     0   0  0     0   0  0     w   "
    (player,) = read(FOA + line(rest="NED F   WH   WH   ", tail=tail))
    assert (player.standard, player.birth_year) == (ListRating(2100, 0, None), None)
    assert (player.title, player.women_title) == ("WH", "WH")


@pytest.mark.parametrize("header", [FOA, LEGACY])
def test_a_title_that_overflows_by_a_column_moves_the_rest_of_its_line(header):
    foa = "AFM" if header == FOA else None
    moved = line(other="SI,FI,LSI,SLI,NA", foa=foa, tail="1946  4   20 0     0   0  0     0   0  1975  wi  ")
    (player,) = read(header + moved)
    assert (player.other_titles, player.foa_title) == ("SI,FI,LSI,SLI,NA", foa or "")
    assert (player.standard, player.birth_year, player.active) == (ListRating(1946, 4, 20), 1975, False)


def test_a_title_that_fills_its_column_moves_nothing():
    tail = "1946  4   20 0     0   0  0     0   0  1975      "
    (player,) = read(LEGACY + line(other="FI,LSI,SLI,NA,X", foa=None, tail=tail))
    assert (player.other_titles, player.standard) == ("FI,LSI,SLI,NA,X", ListRating(1946, 4, 20))


@pytest.mark.parametrize("pad_bytes", [False, True])
def test_letters_beyond_ascii_padded_by_letters_or_by_bytes(pad_bytes):
    name = "Ñandú, Íñigo"
    width = 61 - (len(name.encode()) - len(name) if pad_bytes else 0)
    raw = NORA.replace("Normal, Nora".ljust(61), name.ljust(width))
    (player,) = read(FOA + raw)
    assert (player.name, player.standard.rating, player.birth_year) == (name, 2301, 1994)


def test_windows_letters():
    (player,) = read((FOA + NORA.replace("Normal,", "Ñormal,")).encode("cp1252"))
    assert player.name == "Ñormal, Nora"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_byte_order_mark_line_ends_and_trailing_blanks(end):
    text = "\ufeff" + (FOA + NORA.rstrip() + "\r\n\r\n" + NORA.rstrip()).replace("\r\n", end)
    assert [player.line for player in read(text)] == [2, 4]


def test_all_faults_of_a_line_at_once_and_the_others_stay():
    bad = line("12x", "", "E5P X   W+  ", tail="23o1  9   20 0     0   0  0     0   0  1700  q   ")
    records = read(FOA + bad + NORA)
    assert faults(records) == [
        (2, 1, "fide_id"),
        (2, 16, "name"),
        (2, 77, "federation"),
        (2, 81, "sex"),
        (2, 85, "title"),
        (2, 153, "birth_year"),
        (2, 159, "flag"),
        (2, 114, "standard_rating"),
    ]
    assert records[1].number == "9100001"
    assert all(fault.remedy.endswith(".") for fault in records[0].faults)


@pytest.mark.parametrize("damage", ["Nor\0mal, Nor", "Nor\x1bmal, Nor"])
def test_control_characters_are_faults(damage):
    assert faults(read(FOA + NORA.replace("Normal, Nora", damage))) == [(2, 16, "name")]


def test_an_endless_line_is_one_fault():
    records = read(FOA + "x" * 100_000 + "\r\n" + NORA + "y" * 5000)
    assert faults(records) == [(2, None, "line"), (4, None, "line")]
    assert records[1].line == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The file is empty."),
        ("  \r\n ", "The file is empty."),
        ("hello", "This is no list of players."),
        ("ID Number   Name   Fed  Colour\r\n", "The column 'COLOUR' is not known"),
        ("ID Number   Name   Fed  Fed\r\n", "stands twice"),
        ("ID Number   Name\r\n", "The header lacks federation."),
    ],
)
def test_files_that_are_no_lists(text, message):
    (broken,) = read(text)
    assert broken.fatal
    assert message in broken.faults[0].message


# --- XML ------------------------------------------------------------------------------------------


def player_xml(**fields) -> str:
    given = {"fideid": "9100001", "name": "Normal, Nora", "country": "ESP", "sex": "F", **fields}
    return "<player>" + "".join(f"<{key}>{value}</{key}>" for key, value in given.items()) + "</player>\n"


def as_list(*players: str) -> str:
    return "<playerslist>\n" + "".join(players) + "</playerslist>\n"


def test_xml_without_declaration_and_with_empty_elements():
    combined = player_xml(
        title="WGM",
        w_title="WGM",
        o_title="",
        rating="2301",
        games="9",
        k="20",
        rapid_rating="0",
        rapid_games="",
        rapid_k="",
        blitz_rating="",
        birthday="0",
        flag="wi",
    )
    (nora,) = read(as_list(combined))
    assert (nora.line, nora.title, nora.birth_year, nora.active) == (2, "WGM", None, False)
    assert (nora.standard, nora.rapid, nora.blitz) == (ListRating(2301, 9, 20), UNRATED, None)


def test_a_single_list_in_xml():
    (nora,) = read(as_list(player_xml(rating="2250", games="1", k="20")), "rapid_rating_list.xml")
    assert (nora.standard, nora.rapid) == (None, ListRating(2250, 1, 20))


def test_xml_letters_and_references():
    (player,) = read(as_list(player_xml(name="Ñandú &amp; Co, &#205;ñigo")))
    assert player.name == "Ñandú & Co, Íñigo"


@pytest.mark.parametrize(
    "start",
    [
        "<!DOCTYPE playerslist>",
        '<!DOCTYPE playerslist SYSTEM "http://127.0.0.1:1/x.dtd">',
        '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<?xml version="1.0"?>\n<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
    ],
)
def test_document_types_are_refused(start):
    (refusal,) = read(start + as_list(player_xml(name="&b;")))
    assert refusal.fatal
    assert "document type" in refusal.faults[0].message


def test_an_encoding_that_nobody_knows_is_a_fault_of_the_file():
    (refusal,) = read(b"<?xml version='1.0' encoding='klingon-8'?><playerslist/>")
    assert refusal.fatal
    assert "encoding" in refusal.faults[0].message


def test_broken_xml_keeps_what_came_before():
    records = read(as_list(player_xml(), player_xml()).replace("</playerslist>", "<player"))
    assert [type(record) for record in records] == [ListedPlayer, ListedPlayer, Faulty]
    assert records[-1].fatal
    assert records[-1].faults[0][:2] == (4, 1)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("<playerslist>\n<player>", "The XML ends before the list does.", (2, 9)),
        ("<playerslist>\n <player/>\n<play", "The XML has a tag without end.", (3, 1)),
        ("<playerslist>\n<player>&<", "The XML has a character that may not stand here.", (2, 10)),
        ("<playerslist>\n<player></name>", "The XML closes an element that is not the open one.", (2, 11)),
        ("<playerslist/>\n<more/>", "The XML goes on after the end of the list.", (2, 1)),
        ("<playerslist>\n&who;</playerslist>", "The XML names an entity that it does not define.", (2, 1)),
        ('<playerslist>\n<player a="" a=""/>', "The XML is broken.", (2, 14)),
    ],
)
def test_what_breaks_xml_is_said_in_words_of_the_portal(text, message, place):
    fault = read(text)[-1].faults[0]
    assert (fault.message, fault[:2]) == (message, place)


def test_another_document_is_no_list():
    (refusal,) = read("<html><player/></html>")
    assert "The document is “html”, not a list." in refusal.faults[0].message


def test_faults_in_xml_name_the_line_and_the_others_stay():
    records = read(as_list(player_xml(), player_xml(fideid="", sex="9"), player_xml(fideid="7")))
    assert faults(records) == [(3, None, "fide_id"), (3, None, "sex")]
    assert [record.number for record in records if isinstance(record, ListedPlayer)] == ["9100001", "7"]


@pytest.mark.parametrize(
    "monster",
    ["<" + "a" * 4_000_000, "<!--" + "a" * 4_000_000, "<a>" * 50],
)
def test_xml_that_would_fill_the_memory_is_given_up(monster):
    records = read("<playerslist>" + monster)
    assert records[-1].fatal


def test_a_huge_text_is_a_fault_of_its_field():
    records = read(as_list(player_xml(name="a" * 3_000_000), player_xml()))
    assert faults(records) == [(2, None, "name")]
    assert records[1].number == "9100001"


# --- CSV ------------------------------------------------------------------------------------------


def test_csv_in_any_order_with_semicolons():
    (nora,) = read("name;fide_id;standard_rating;sex\nNormal, Nora;9100001;2301;w\n")
    assert (nora.number, nora.name, nora.sex) == ("9100001", "Normal, Nora", "f")
    assert (nora.standard, nora.rapid, nora.active) == (ListRating(2301, 0, None), None, None)


def test_csv_undoes_the_guard_against_formulas():
    (player,) = read("fide_id,name\n1,'=cmd\n")
    assert player.name == "=cmd"


def test_a_published_list_in_csv_is_a_single_list():
    text = "list_date,system,fide_id,name,rating,games,k,status\n2026-10-01,rapid,5,Berg,1900,3,20,active\n"
    (player,) = read(text, "valdoria-rapid-2026-10-01.csv")
    assert player.rapid == ListRating(1900, 3, 20)


def test_csv_faults_name_cell_and_line():
    records = read(b'fide_id,name,sex\n1,A\n2,B,q\n3,"C\n4,D\xff,m\n5,E,m\n6,\0,m\n7,"F"x,m\n8,G,m\n')
    assert (2, None, "row") in faults(records)
    assert (3, 3, "sex") in faults(records)
    assert (5, None, "row") in faults(records)
    assert [record.name for record in records if isinstance(record, ListedPlayer)] == ["G"]
    messages = [fault.message for record in records if isinstance(record, Faulty) for fault in record.faults]
    assert "The row cannot be parted into cells: a quote or a cell has no end." in messages


def test_csv_goes_on_after_a_row_that_is_none():
    records = read(b'fide_id,name\n1,"A"x\n2,\xff\n3,C\0\n4,D\n')
    assert faults(records) == [(2, None, "row"), (3, None, "row"), (4, 2, "name")]
    assert records[-1].name == "D"


@pytest.mark.parametrize(
    ("header", "place", "field"),
    [
        ("fide_id,name,shoe", 3, "shoe"),
        ("fide_id,name,name", 3, "name"),
        ("fide_id,sex", None, "name"),
    ],
)
def test_csv_headers(header, place, field):
    (refusal,) = read(header + "\n1,A,B\n")
    assert refusal.fatal
    assert faults([refusal]) == [(1, place, field)]


# --- containers -----------------------------------------------------------------------------------


def packed(*members: tuple[str, bytes], method=zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def test_a_zip_is_read_by_the_name_of_its_member():
    text = (SINGLE + line(tail="2301  9   20 1994  w   ")).encode()
    (nora,) = read(packed(("rapid_rating_list.txt", text), ("readme.md", b"")), "download.zip")
    assert nora.rapid == ListRating(2301, 9, 20)


def test_bytes_read_are_those_of_the_zip():
    data = packed(("players.txt", (FOA + NORA * 5000).encode()))
    listed = PlayerList(io.BytesIO(data), "players.zip")
    seen = [listed.bytes_read for _ in listed]
    assert len(seen) == 5000
    assert seen == sorted(seen)
    assert 0 < seen[-1] <= len(data) + 64


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (packed(("a.txt", b"x"), ("b.txt", b"y")), "The zip holds 2 lists."),
        (packed(("a.exe", b"x")), "The zip holds 0 lists."),
        (packed(("a.txt", b"x" * 50), method=zipfile.ZIP_LZMA), "unusual"),
        (packed(("a.txt", b"x" * 99))[:60], "no usable directory"),
        (packed(*((f"{n}.md", b"") for n in range(2000))), "no usable directory"),
    ],
    ids=["two lists", "no list", "method", "cut off", "huge directory"],
)
def test_zips_that_cannot_be_read(data, message):
    (broken,) = read(data, "x.zip")
    assert broken.fatal
    assert message in broken.faults[0].message


def test_a_zip_with_a_password_cannot_be_unpacked():
    data = packed(("players.txt", (FOA + NORA).encode()))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(mark) + place
        data = data[:at] + bytes([data[at] | 1]) + data[at + 1 :]
    (broken,) = read(data, "players.zip")
    assert broken.faults[0].message == "The file cannot be unpacked: it is damaged, or has a password."


def test_a_damaged_zip_ends_with_a_fault():
    data = bytearray(packed(("players.txt", (FOA + NORA * 5000).encode())))
    data[len(data) // 2] ^= 0xFF
    records = read(bytes(data))
    assert records[-1].fatal
    assert records[-1].faults[0].message == "The file cannot be unpacked: it is damaged, or has a password."


def test_a_zip_that_unpacks_beyond_the_cap_is_given_up():
    data = packed(("players.txt", (FOA + NORA * 5000).encode()))
    records = read(data, max_unpacked=300_000)
    assert records[-1].fatal
    assert "too large" in records[-1].faults[0].message
