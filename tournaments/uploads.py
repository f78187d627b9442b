"""Reading an upload no further than its limit."""

from __future__ import annotations

from io import BytesIO

from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload


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
