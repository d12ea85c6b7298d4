"""The way into the `penstock` command: whatever stops it, even while it loads, is one line and a code."""

import contextlib
import os
import sys

FAILED, STOPPED = 1, 130


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


def output_failed(error: OSError) -> int:
    """Says that standard output cannot be written, and keeps Python from trying again at its end."""
    print(f"penstock: cannot write to standard output: {error.strerror or error}", file=sys.stderr)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


if __name__ == "__main__":
    main()
