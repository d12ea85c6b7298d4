"""The K7 format of connectivity traces: who heard how many of whose frames, channel by channel, over time.

The first line is a JSON object about the experiment; of it `node_count`, `channels` and `tx_length` (bytes
of a frame) are used. Then come comma-separated rows under a header: `datetime,src,dst,channel,mean_rssi,
pdr,tx_count`, one for each burst of `tx_count` frames of which `dst` got the share `pdr` at `mean_rssi`
dBm. A burst of which nothing arrived has no row.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from penstock.errors import BadInput
from penstock.topology.network import Floats, Ints
from penstock.topology.text_file import finite, read_text

COLUMNS = ("datetime", "src", "dst", "channel", "mean_rssi", "pdr", "tx_count")
MOST_NODES = 1000
SHORTEST_FRAME, LONGEST_FRAME = 26, 119
"""Those that the simulated MACs carry."""


@dataclass(frozen=True)
class Trace:
    """Links of a trace, over all of its time.

    nodes: how many; they are numbered from 0. frame_bytes: of the frames sent. channels: IEEE 802.15.4
    numbers, rising. received, sent: (C, N, N) frames on each channel, by sender and receiver; `sent` counts
    the bursts without a row. rssi_dbm: (C, N, N) mean over the frames received, NaN where there were none.
    """

    nodes: int
    frame_bytes: int
    channels: list[int]
    received: Floats
    sent: Floats
    rssi_dbm: Floats


@dataclass(frozen=True)
class MeasuredLinks:
    """L directed links over which something arrived.

    src, dst: (L,) nodes. prr: (L,) share of the frames. rssi_dbm: (L,) mean received power. frames: (L,) how
    many were sent.
    """

    src: Ints
    dst: Ints
    prr: Floats
    rssi_dbm: Floats
    frames: Floats


def read_k7(path: Path) -> Trace:
    """Reads a trace, plain or gzipped. BadInput names file and line."""
    return parse_k7(read_text(path), str(path))


def parse_k7(text: str, name: str) -> Trace:
    """Parses the text of a trace called `name`. Raises nothing but BadInput."""
    lines = enumerate(text.splitlines(), start=1)
    nodes, channels, frame_bytes = _header(next(lines, (1, ""))[1], name)
    _check_columns(next(lines, (2, ""))[1], name)
    place = {channel: at for at, channel in enumerate(channels)}
    shape = (len(channels), nodes, nodes)
    received, power, bursts, longest = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for where, src, dst, channel, rssi, pdr, count in _rows(lines, name):
        if not (0 <= src < nodes and 0 <= dst < nodes and src != dst):
            raise BadInput(f"{where}: src and dst should be two of the nodes 0 to {nodes - 1}")
        if channel not in place:
            raise BadInput(f"{where}: channel {channel} is not among those of the first line")
        at = (place[channel], src, dst)
        received[at] += pdr * count
        power[at] += pdr * count * rssi
        bursts[at] += 1
        longest[at] = max(longest[at], count)
    if not received.any():
        raise BadInput(f"{name}: holds no link")
    # Every pair had as many bursts as the one that was heard in most of them.
    sent = np.full(shape, bursts.max() * longest.max())
    with np.errstate(invalid="ignore"):
        return Trace(nodes, frame_bytes, channels, received, sent, power / received)


def links_of(trace: Trace, channel: int | None) -> MeasuredLinks:
    """The links on one channel, or over all of them: a sender that hops meets the mean. BadInput for a
    channel that the trace has not."""
    if channel is None:
        chosen = list(range(len(trace.channels)))
    elif channel in trace.channels:
        chosen = [trace.channels.index(channel)]
    else:
        known = ", ".join(str(each) for each in trace.channels)
        raise BadInput(f"topology.channel is {channel}, but the trace has {known}")
    received, sent = trace.received[chosen].sum(axis=0), trace.sent[chosen].sum(axis=0)
    power = np.nansum(trace.rssi_dbm[chosen] * trace.received[chosen], axis=0)
    src, dst = np.nonzero(received)
    got = received[src, dst]
    return MeasuredLinks(
        src.astype(np.int32),
        dst.astype(np.int32),
        got / sent[src, dst],
        power[src, dst] / got,
        sent[src, dst],
    )


def _header(line: str, name: str) -> tuple[int, list[int], int]:
    where = f"{name}, line 1"
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInput(f"{where}: should be a JSON object that describes the trace") from None
    if not isinstance(found, dict):
        raise BadInput(f"{where}: should be a JSON object that describes the trace")
    head = cast(dict[str, object], found)
    nodes, frame, channels = head.get("node_count"), head.get("tx_length"), head.get("channels")
    if not _whole(nodes, 2, MOST_NODES):
        raise BadInput(f'{where}: "node_count" should be a whole number from 2 to {MOST_NODES}')
    if not _whole(frame, SHORTEST_FRAME, LONGEST_FRAME):
        raise BadInput(
            f'{where}: "tx_length" should be a whole number of bytes, {SHORTEST_FRAME} to {LONGEST_FRAME}'
        )
    listed = cast(list[object], channels) if isinstance(channels, list) else []
    if not listed or not all(_whole(each, 11, 26) for each in listed):
        raise BadInput(f'{where}: "channels" should be a list of numbers from 11 to 26')
    return cast(int, nodes), sorted(set(cast(list[int], listed))), cast(int, frame)


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _check_columns(line: str, name: str) -> None:
    if tuple(word.strip() for word in line.split(",")) != COLUMNS:
        raise BadInput(f'{name}, line 2: should be "{",".join(COLUMNS)}"')


def _rows(
    lines: Iterable[tuple[int, str]], name: str
) -> Iterator[tuple[str, int, int, int, float, float, float]]:
    for number, line in lines:
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        words = line.split(",")
        if len(words) != len(COLUMNS):
            raise BadInput(f'{where}: should have {len(COLUMNS)} columns, found "{line[:60]}"')
        src, dst, channel = (_node(word, where) for word in words[1:4])
        rssi, pdr, count = (
            finite(word, column, where) for word, column in zip(words[4:], COLUMNS[4:], strict=True)
        )
        if not 0 < pdr <= 1 or not 1 <= count <= 1e6:
            raise BadInput(f"{where}: pdr should be above 0 and at most 1, tx_count 1 to a million")
        yield where, src, dst, channel, rssi, pdr, count


def _node(text: str, where: str) -> int:
    text = text.strip()
    if text.isascii() and text.isdecimal() and len(text) <= 5:
        return int(text)
    raise BadInput(f'{where}: src, dst and channel should be whole numbers, found "{text[:40]}"')
