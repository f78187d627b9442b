"""The verification page: what was published, by which key, and whether a file is one of ours."""

from __future__ import annotations

import hashlib

from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from players.doors import takes_file
from ratinglists import proofs
from ratinglists.models import Publication
from ratinglists.signing import SigningRefused
from verifier import form

PAGE = 20
MOST_BYTES = 512 * 2**20


class Hasher(FileUploadHandler):
    """Takes the hash of a file that is sent, while it comes; keeps nothing of it."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.name, self.digest, self.size = "", None, 0

    def new_file(self, *args, **kwargs) -> None:
        super().new_file(*args, **kwargs)
        self.name, self.digest, self.size = self.file_name, hashlib.sha256(), 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.digest.update(raw_data)
        self.size += len(raw_data)
        if self.size > MOST_BYTES:
            raise StopUpload(connection_reset=True)

    def file_complete(self, file_size: int) -> None:
        return None


@takes_file(MOST_BYTES, _("Take its SHA-256 yourself and paste it."))
@csrf_exempt  # the check comes second, in _checked: it reads the form, and the hasher must be there by then
@require_http_methods(["GET", "HEAD", "POST"])
def verify_page(request: HttpRequest) -> HttpResponse:
    hasher = Hasher(request)
    if request.method == "POST":
        request.upload_handlers = [hasher]
    return _checked(request, hasher)


@csrf_protect
def _checked(request: HttpRequest, hasher: Hasher) -> HttpResponse:
    asked = fault = name = ""
    if request.method == "POST":
        request.FILES  # noqa: B018 - reads the form to its end
        name = hasher.name
        if hasher.size > MOST_BYTES:
            fault = f"The file is larger than {MOST_BYTES >> 20} MB: take its SHA-256 yourself and paste it."
        elif hasher.digest is None:
            fault = "Choose a file first."
        else:
            asked = hasher.digest.hexdigest()
    elif given := request.GET.get("sha256", "").split()[:1]:
        asked = given[0].lower()
        if not form.is_hash(asked):
            asked, fault = "", "A SHA-256 has 64 digits from 0 to 9 and a to f: copy it whole."
    context = {
        "asked": asked,
        "name": name,
        "fault": fault,
        "matches": proofs.published_as(asked) if asked else [],
        "keys": _keys(),
        "page": Paginator(proofs.publications(), PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "ratinglists/verify.html", context)


def _keys() -> list[proofs.Key]:
    try:
        return proofs.public_keys()
    except (OSError, form.Malformed, SigningRefused):
        return []  # manage.py verify tells staff what is missing


@require_safe
def manifest(request: HttpRequest, number: int) -> HttpResponse:
    try:
        data = proofs.manifest_of(get_object_or_404(Publication, pk=number))
    except OSError as error:
        raise Http404("The manifest is not in the archive.") from error
    return _download(data, f"{number:06d}.json", "application/json")


@require_safe
def signature(request: HttpRequest, number: int) -> HttpResponse:
    found = get_object_or_404(Publication, pk=number)
    if not found.signature:
        raise Http404("This publication is not signed.")
    return _download(bytes.fromhex(found.signature), f"{number:06d}.sig", "application/octet-stream")


@require_safe
def key(request: HttpRequest, name: str) -> HttpResponse:
    found = next((each for each in _keys() if each.name == name), None)
    if found is None:
        raise Http404("No such key.")
    return _download(found.pem, f"{name}.pem", "application/x-pem-file")


@require_safe
def publication_archive(request: HttpRequest, number: int) -> StreamingHttpResponse:
    found = get_object_or_404(Publication.objects.exclude(signature=""), pk=number)
    headers = {"Content-Disposition": f'attachment; filename="publication-{number}.tar"'}
    return StreamingHttpResponse(proofs.tar_of(found), content_type="application/x-tar", headers=headers)


def _download(data: bytes, name: str, kind: str) -> HttpResponse:
    return HttpResponse(
        data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
