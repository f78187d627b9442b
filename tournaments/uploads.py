"""Reading an upload no further than its limit, and the pages that take one."""

from __future__ import annotations

from functools import wraps
from io import BytesIO

from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from tournaments.reports.text import MAX_BYTES


class LimitedUpload(FileUploadHandler):
    """Keeps a file in memory up to ``limit`` bytes; a larger one is dropped and ``too_large`` set."""

    def __init__(self, request, limit: int) -> None:
        super().__init__(request)
        self.limit, self.too_large = limit, False

    def new_file(self, *args, **kwargs) -> None:
        super().new_file(*args, **kwargs)
        self.buffer = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > self.limit:
            self.too_large = True
            raise StopUpload(connection_reset=False)
        self.buffer.write(raw_data)

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        self.buffer.seek(0)
        return InMemoryUploadedFile(
            self.buffer, self.field_name, self.file_name, self.content_type, file_size, self.charset
        )


def takes_upload(view):
    """A page for signed-in users that may be posted one report file. The view gets the handler as third
    argument. The limit must be set before the body is read, so the CSRF token is checked within."""
    checked = never_cache(csrf_protect(view))

    @csrf_exempt
    @login_required
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def page(request: HttpRequest, pk: int) -> HttpResponse:
        handler = LimitedUpload(request, MAX_BYTES)
        request.upload_handlers = [handler]
        return checked(request, pk, handler)

    return page
