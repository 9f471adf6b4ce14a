"""`python -m peloarena` is the command `peloarena`."""

from .cli.main import main

if __name__ == "__main__":
    main()
