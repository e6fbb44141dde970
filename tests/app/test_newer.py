"""The notice of a newer version: off by default, once a week, a week after the release, silent where it fails."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from fsdesk.app.newer import VersionNotice, is_newer, ripe_version

from .conftest import WindowDriver

TODAY = date(2027, 3, 20)


def index(**releases: Any) -> bytes:
    """What the package index answers: for each version its days ago, or a list of files."""
    files = {
        name: [{"upload_time": f"{TODAY - timedelta(days=each)}T10:00:00"}] if isinstance(each, int) else each
        for name, each in releases.items()
    }
    return json.dumps({"info": {}, "releases": files}).encode()


def test_the_newest_final_version_counts_a_week_after_its_release() -> None:
    assert ripe_version(index(**{"0.2.0": 90, "0.10.0": 7, "0.9.0": 30}), TODAY) == "0.10.0"
    assert ripe_version(index(**{"0.2.0": 90, "0.3.0": 6}), TODAY) == "0.2.0"
    assert ripe_version(index(**{"0.2.0": 90, "0.3.0rc1": 30, "0.4.0": []}), TODAY) == "0.2.0"
    withdrawn = [{"upload_time": "2027-01-01T10:00:00", "yanked": True}]
    assert ripe_version(index(**{"0.2.0": 90, "0.3.0": withdrawn}), TODAY) == "0.2.0"
    assert ripe_version(index(), TODAY) == ""
    for content in (b"<html>", b"[]", b'{"releases": 3}'):
        with pytest.raises((ValueError, TypeError)):
            ripe_version(content, TODAY)


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_newer("0.10.0", "0.9.1") and is_newer("0.3", "0.2.0.dev4")
    assert not is_newer("0.2.0", "0.2.0") and not is_newer("", "0.2.0")


def notice(driver: WindowDriver, fetch: Callable[[], bytes]) -> VersionNotice:
    made = driver.window.version_notice
    made.fetch, made.own, made.today = fetch, "0.2.0", lambda: TODAY
    return made


async def test_nothing_is_asked_unless_the_user_turns_it_on_and_then_once_a_week(driver: WindowDriver) -> None:
    asked: list[int] = []

    def fetch() -> bytes:
        asked.append(1)
        return index(**{"0.3.0": 10})

    made, switch = notice(driver, fetch), driver.window.actions_["newer_weekly"]
    assert not switch.isChecked()
    driver.window.look_for_newer()
    assert not asked
    switch.trigger()
    await driver.until(lambda: len(asked) == 1 and not driver.session.tasks.working)
    said = [message.sentence for message in driver.window.messages.messages]
    assert said == ["fsdesk 0.3.0 is available; this is 0.2.0."]
    driver.window.look_for_newer()
    assert len(asked) == 1
    driver.window.messages.dismiss_all()
    made.today = lambda: TODAY + timedelta(days=7)
    driver.window.look_for_newer()
    await driver.until(lambda: len(asked) == 2 and not driver.session.tasks.working)
    assert not driver.window.messages.messages  # of a version one is told once
    switch.trigger()
    made.today = lambda: TODAY + timedelta(days=70)
    driver.window.look_for_newer()
    assert len(asked) == 2


async def test_without_an_answer_nothing_is_said(driver: WindowDriver) -> None:
    def fetch() -> bytes:
        raise OSError("no network")

    made = notice(driver, fetch)
    driver.window.actions_["newer_weekly"].trigger()
    await driver.until(lambda: not driver.session.tasks.working)
    assert not driver.window.messages.messages
    assert not made.is_due
    driver.window.actions_["newer_weekly"].trigger()
