"""Pictures and a table for the documentation, from a results folder: docs/figures/*.png and docs/NAME.md.

The pictures are cut from the folder's own report.html in headless Chromium, so the documentation shows what a
user sees. Needs Chromium and its driver, and selenium (the `test` extra).
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

import penstock
from penstock.findings import loads, measured

REPO = Path(__file__).resolve().parents[1]
SHOWN = (
    ("efficiency", "efficiency", 3),
    ("fairness", "fairness", 3),
    ("throughput_pps", "packets/s at the sink", 1),
    ("median_node_throughput_pps", "median node, packets/s", 3),
    ("channel_loss_rate", "channel loss", 2),
    ("buffer_drop_rate", "buffer drops", 2),
    ("latency_s", "latency, s", 2),
)


def open_report(report: Path, profile: str) -> webdriver.Chrome:
    """The report in a window wide enough for two charts side by side, at twice the usual resolution."""
    options = webdriver.ChromeOptions()
    for flag in (
        *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
        *("--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"),
        *("--force-device-scale-factor=1.5", "--window-size=1240,1000", f"--user-data-dir={profile}"),
    ):
        options.add_argument(flag)
    browser, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or chromedriver is None:
        raise SystemExit("pictures need Chromium and its driver (Debian: chromium chromium-driver)")
    options.binary_location = browser
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    driver.get(report.resolve().as_uri())
    return driver


def picture(driver: webdriver.Chrome, chart: str, target: Path) -> None:
    """One figure of the report (the <figure> around a chart) as a PNG."""
    figure = driver.find_element(By.CSS_SELECTOR, f"figure:has(#{chart})")
    driver.execute_script("arguments[0].scrollIntoView()", figure)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(figure.screenshot_as_png)
    print(target)


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
    with tempfile.TemporaryDirectory() as profile:
        driver = open_report(folder / "report.html", profile)
        try:
            for chart in driver.find_elements(By.CSS_SELECTOR, "figure [id^=chart-]"):
                identity = str(chart.get_attribute("id"))
                if identity in ("chart-efficiency", "chart-median_node_throughput_pps") or "map" in identity:
                    short = identity.removeprefix("chart-")
                    picture(driver, identity, REPO / "docs" / "figures" / f"{name}-{short}.png")
        finally:
            driver.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
