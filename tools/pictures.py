"""Pictures of a report's figures, cut out in headless Chromium, so the documentation shows what a user sees.

Needs Chromium and its driver, and selenium (the `test` extra).
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

REPO = Path(__file__).resolve().parents[1]
BARE = "document.querySelectorAll('.switches').forEach(bar => { bar.style.display = 'none'; });"
"""What floats over the figures is no part of them."""


@contextmanager
def opened(report: Path) -> Iterator[webdriver.Chrome]:
    """The report in a window wide enough for two charts side by side, at one and a half the resolution."""
    options = webdriver.ChromeOptions()
    browser, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or chromedriver is None:
        raise SystemExit("pictures need Chromium and its driver (Debian: chromium chromium-driver)")
    options.binary_location = browser
    with tempfile.TemporaryDirectory() as profile:
        for flag in (
            *(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
            ),
            *("--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"),
            *("--disable-component-update", "--force-device-scale-factor=1.5", "--window-size=1240,1000"),
            f"--user-data-dir={profile}",
        ):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=Service(chromedriver))
        try:
            driver.get(report.resolve().as_uri())
            driver.execute_script(BARE)
            yield driver
        finally:
            driver.quit()


def charts(driver: webdriver.Chrome) -> list[str]:
    """The ids of all charts of the page, "chart-" and their key."""
    found = driver.find_elements(By.CSS_SELECTOR, "figure [id^=chart-]")
    return [str(chart.get_attribute("id")) for chart in found]


def picture(driver: webdriver.Chrome, chart: str, target: Path) -> None:
    """One figure of the report (the <figure> around a chart) as a PNG."""
    figure = driver.find_element(By.CSS_SELECTOR, f"figure:has([id='{chart}'])")
    driver.execute_script("arguments[0].scrollIntoView()", figure)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(figure.screenshot_as_png)
    print(target)
