"""Scripts run by a nonce that is new for each answer, and only those that a template wrote.

The loaders put the nonce into the ``<script>`` tags of the templates' *source*: what a template inserts never
gets one. A page that has no script asks for no nonce, and then no script runs on it at all.
"""

from __future__ import annotations

import re
import secrets

from django.forms import Media
from django.http import HttpRequest
from django.template import Origin
from django.template.loaders import app_directories, filesystem
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

_TAG = re.compile(r"<script(?=[\s>])(?![^>]*\b(?:nonce=|type=\"application/))")
_MEDIA = re.compile(r"\{\{\s*((?:\w+\.)*media(?:\.js)?)\s*\}\}")
_IN_SCRIPT = "<script"


def with_nonces(source: str) -> str:
    """A template's source, its scripts and its media with the nonce of the answer."""
    source = _TAG.sub('<script nonce="{{ csp_nonce }}"', source)
    return _MEDIA.sub(r"{% nonced \1 %}", source)


class FilesystemLoader(filesystem.Loader):
    def get_contents(self, origin: Origin) -> str:
        return with_nonces(super().get_contents(origin))


class AppDirectoriesLoader(app_directories.Loader):
    def get_contents(self, origin: Origin) -> str:
        return with_nonces(super().get_contents(origin))


def nonce_of(request: HttpRequest) -> str:
    """The nonce of the answer to this request; from now on the answer has one."""
    if not hasattr(request, "csp_nonce"):
        request.csp_nonce = secrets.token_urlsafe(18)
    return request.csp_nonce


def nonce(request: HttpRequest) -> dict[str, object]:
    """Context processor."""
    return {"csp_nonce": SimpleLazyObject(lambda: nonce_of(request))}


def render_media(media: Media | str, value: object) -> SafeString | str:
    """The tags of a form's or a page's media."""
    if not isinstance(media, Media):
        return media
    scripts = [
        mark_safe(path.__html__().replace(_IN_SCRIPT, format_html('<script nonce="{}"', value)))  # noqa: S308
        if hasattr(path, "__html__")
        else format_html('<script src="{}" nonce="{}"></script>', media.absolute_path(path), value)
        for path in media._js
    ]
    return mark_safe("\n".join([*media.render_css(), *scripts]))  # noqa: S308 - Django's own tags and ours
