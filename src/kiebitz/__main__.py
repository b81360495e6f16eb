"""Lets `python -m kiebitz` do what `kiebitz` does."""

from kiebitz.cli import main

if __name__ == "__main__":
    main()
