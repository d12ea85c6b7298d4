"""What is said on standard error while it goes on: a progress bar with the remaining time, and notes."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def note(text: str) -> None:
    """One line on standard error."""
    print(f"penstock: {text}", file=sys.stderr, flush=True)


class TransferBar:
    """Packets of an object at the sink, and the simulated time. Not shown as ProgressBar is not."""

    def __init__(self, shown: bool) -> None:
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("packets"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[simulated]:.1f} s simulated"),
            console=console,
            disable=not (shown and console.is_terminal),
        )
        self._task = self._bar.add_task("packets", total=None, simulated=0.0)

    def show(self, arrived: int, packets: int, simulated_s: float) -> None:
        """So many of the packets (0: not known yet) have arrived by then."""
        self._bar.update(self._task, completed=arrived, total=packets or None, simulated=simulated_s)

    def __enter__(self) -> "TransferBar":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()


class ProgressBar:
    """Counts finished runs. Not shown when `shown` is false or standard error is no terminal."""

    def __init__(self, total: int, done: int, shown: bool) -> None:
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("runs"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            disable=not (shown and console.is_terminal),
        )
        self._task = self._bar.add_task("runs", total=total, completed=done)

    def advance(self) -> None:
        """One more run is finished."""
        self._bar.advance(self._task)

    def __enter__(self) -> "ProgressBar":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
