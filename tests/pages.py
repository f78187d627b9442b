"""What a page says, without its markup: for tests."""

import re

_BLOCK = re.compile(r"</?(?:td|th|tr|p|dt|dd|li|h\d|div|section|br|option|title|a class)\b[^>]*>")


def text_of(html: str) -> str:
    """The text of a page; blanks where a block or a cell ends."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", _BLOCK.sub(" ", html)))


def fetch(client, url: str, language: str = "en") -> str:
    """A page that must be there, its white space folded."""
    response = client.get(url, headers={"accept-language": language})
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def read(client, url: str, language: str = "en") -> str:
    return text_of(fetch(client, url, language))
