"""Readers of what strangers send, run in a child process with limits (docs/developers/input.md)."""
