"""The way into the `penstock` command: whatever stops it, even while it loads, is one line and a code."""

import sys

from penstock.exits import STOPPED, output_failed


def main() -> None:
    """The entry point of the `penstock` command."""
    try:
        code = _called()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("penstock: stopped", file=sys.stderr)
        code = STOPPED
    except OSError as error:
        code = output_failed(error)
    sys.exit(code)


def _called() -> str | int | None:
    try:
        from penstock.commands import app  # all of Penstock; Ctrl-C may come while it loads

        app(prog_name="penstock")
    except SystemExit as stop:
        return stop.code
    return 0


if __name__ == "__main__":
    main()
