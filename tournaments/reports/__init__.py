"""Reading and writing of tournament reports: bytes or text in, plain values out (no Django)."""
