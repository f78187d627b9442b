"""Rating lists as files: plain values in, text or bytes out (no Django)."""
