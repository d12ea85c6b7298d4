"""What every test may ask for: the repository, the folder of measured topologies, a browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from penstock.results import Results

REPO = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("PENSTOCK_DATA", REPO.parent / "shared" / "data"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden tables of test_golden.py"
    )


@pytest.fixture(scope="session")
def repo() -> Path:
    """The root of the checkout."""
    return REPO


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Where the measured topologies lie; only tests marked `data` may ask for it."""
    return DATA


def browser_programs() -> tuple[str, str] | None:
    """Chromium and its driver, or None where either is missing."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@pytest.fixture(scope="session")
def browser() -> "Iterator[Chrome]":
    """Headless Chromium that keeps its console log; only tests marked `browser` may ask for it."""
    programs = browser_programs()
    if programs is None:
        pytest.fail("a test that opens a page must be marked `browser`")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    # Without a sandbox of its own, since containers run as root; nothing but the test's own pages is opened.
    flags = (
        *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"),
        *(
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ),
    )
    for flag in flags:
        options.add_argument(flag)
    options.add_argument("--window-size=1280,1000")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(programs[1]))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def six() -> "Results":
    """Six strategies on a small network; nobody changes them."""
    from report_cases import six_strategies

    return six_strategies()


@pytest.fixture(scope="session")
def single() -> "Results":
    """A single point."""
    from report_cases import single_point

    return single_point()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("data") and not DATA.is_dir():
        pytest.skip("no measured topologies here: set PENSTOCK_DATA to their folder")
    if item.get_closest_marker("browser") and browser_programs() is None:
        pytest.skip("no Chromium with its driver here (Debian: apt-get install chromium chromium-driver)")
