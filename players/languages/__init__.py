"""The reader's language: texts that are kept in English, and figures as the language writes them."""
