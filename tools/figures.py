"""Pictures and a table for the documentation, from a results folder: docs/figures/*.png and docs/NAME.md.

The pictures are cut from the folder's own report.html in headless Chromium, so the documentation shows what a
user sees. Needs Chromium and its driver, and selenium (the `test` extra).
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import penstock
from penstock.findings import loads, measured
from pictures import REPO, charts, opened, picture

SHOWN = (
    ("efficiency", "efficiency", 3),
    ("fairness", "fairness", 3),
    ("throughput_pps", "packets/s at the sink", 1),
    ("median_node_throughput_pps", "median node, packets/s", 3),
    ("channel_loss_rate", "channel loss", 2),
    ("buffer_drop_rate", "buffer drops", 2),
    ("latency_s", "latency, s", 2),
)


def cell(metrics: dict[str, Any], name: str, digits: int) -> str:
    """Mean and half interval."""
    mean, interval = metrics[name]["mean"], metrics[name]["ci"]
    if mean is None:
        return "–"
    if interval is None or None in interval:
        return f"{mean:.{digits}f}"
    return f"{mean:.{digits}f} ± {(interval[1] - interval[0]) / 2:.{digits}f}"


def document(results: penstock.Results, folder: Path, command: str) -> str:
    """A Markdown page: every strategy at every load, and what the thesis found."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    runs, level = summary["points"][0]["runs"], results.scenario.confidence
    lines = [
        f"# {summary['scenario']}: results",
        "",
        f"{results.scenario.description}.",
        "",
        f"{runs} seeds; ± is half the {level:.0%} Student-t interval over seeds.",
        "",
        f"Made by `{command}` with Penstock {penstock.__version__}.",
        "",
        "| strategy | load | " + " | ".join(title for _, title, _ in SHOWN) + " |",
        "|---|---:|" + "---:|" * len(SHOWN),
    ]
    for point in summary["points"]:
        axes, metrics = point["axes"], point["metrics"]
        cells = " | ".join(cell(metrics, name, digits) for name, _, digits in SHOWN)
        lines.append(f"| {axes['congestion.control']} | {axes['traffic.rate_pps']:g} | {cells} |")
    lines += [
        "",
        "## Beside what the thesis found",
        "",
        "Load in packets/s per node; a verdict needs the whole interval.",
        "",
        "| the thesis says | part | load | there | measured here | verdict |",
        "|---|---|---:|---|---|---|",
    ]
    for judged in measured(results.findings):
        words = f"{judged.claim.statement} ({judged.claim.source})"
        for part in judged.parts:
            check = part.check
            lines.append(
                f"| {words} | {check.statement} | {loads(check)} | {check.paper} | {part.measured} "
                f"| {part.verdict} |"
            )
            words = ""
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a results folder with report.html")
    parser.add_argument("--command", default="make run", help="what made it")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    if not (folder / "report.html").is_file():
        print(f"{folder} holds no report.html", file=sys.stderr)
        return 2
    results = penstock.Results.load(folder)
    name = results.scenario.name
    page = REPO / "docs" / f"results-{name}.md"
    page.write_text(document(results, folder, arguments.command), encoding="utf-8")
    print(page)
    with opened(folder / "report.html") as driver:
        for chart in charts(driver):
            if chart in ("chart-efficiency", "chart-median_node_throughput_pps") or "map" in chart:
                short = chart.removeprefix("chart-")
                picture(driver, chart, REPO / "docs" / "figures" / f"{name}-{short}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
