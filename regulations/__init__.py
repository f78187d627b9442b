"""Rating regulations as code: pure Python, exact arithmetic, every step naming its article."""
