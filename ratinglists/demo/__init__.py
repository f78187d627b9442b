"""An invented federation, played through the same services and report files as real use."""
