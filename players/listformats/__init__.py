"""Lists of players as FIDE and federations hand them out: bytes in, plain rows out, and back (no Django)."""
