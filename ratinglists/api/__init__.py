"""The programs' door: versioned JSON under ``/api/v1/``, by the reads and services that the pages use."""
