"""The coding stages with the constants of the source's code (source-systems.md 1.2)."""

from datetime import UTC, datetime, timedelta

import pytest

from interpreter.library.stages import NATURAL_BACKWARD, STAGES, stage_machine, stage_session

PAIRS = {
    ("EXECUTION", "READING"),
    ("EXECUTION", "ANALYSIS"),
    ("ANALYSIS", "READING"),
    ("VERIFICATION", "EXECUTION"),
    ("VERIFICATION", "ANALYSIS"),
    ("COMPLETION", "VERIFICATION"),
}
BACKWARD = {(a, b) for i, a in enumerate(STAGES) for b in STAGES[:i]}


class Clock:
    def __init__(self):
        self.now = datetime(2026, 11, 30, tzinfo=UTC)

    def __call__(self):
        return self.now

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)


def run_in(stage):
    clock = Clock()
    session = stage_session(clock)
    if stage != session.current:
        assert session.go(stage, confidence=0.1)
        clock.wait(2)
    return session, clock


@pytest.mark.row("F072")
def test_going_back_needs_the_threshold_and_moves_lie_two_seconds_apart():
    assert stage_machine().root.children[0].cooldown_ms == 2_000
    session, clock = run_in("COMPLETION")
    refused = session.go("READING", confidence=0.84)
    assert (refused.ok, refused.reason, session.current) == (False, "confidence", "COMPLETION")
    assert session.go("READING", confidence=0.85)
    clock.wait(1.9)
    assert session.go("EXECUTION").reason == "cooldown"
    clock.wait(0.1)
    assert session.go("EXECUTION")


@pytest.mark.parametrize(("stage", "target"), sorted(BACKWARD - PAIRS))
def test_every_other_way_back_needs_the_threshold(stage, target):
    session, _ = run_in(stage)
    assert session.go(target, confidence=0.84).reason == "confidence"
    assert session.go(target, confidence=0.85)


def test_there_are_six_natural_ways_back():
    assert set(NATURAL_BACKWARD) == PAIRS


@pytest.mark.row("F073")
@pytest.mark.parametrize(("stage", "target"), sorted(PAIRS))
def test_a_natural_way_back_needs_one_half(stage, target):
    session, _ = run_in(stage)
    assert session.go(target, confidence=0.49).reason == "confidence"
    assert session.current == stage
    assert session.go(target, confidence=0.50)
    assert session.current == target


def test_any_stage_ahead_is_open_whatever_the_confidence():
    session, _ = run_in("INITIAL")
    assert session.go("COMPLETION", confidence=0.1)


@pytest.mark.row("F074")
def test_eight_moves_in_two_minutes_are_followed_by_ten_seconds_of_rest():
    clock = Clock()
    session = stage_session(clock)
    said = []
    for number in range(12):
        result = session.go("READING" if session.current == "EXECUTION" else "EXECUTION")
        said.append((result.moved, result.reason))
        if number in (8, 9, 10):
            assert "8 moves in 120 seconds" in result.rejected
        clock.wait(3)
    assert said == [(True, None)] * 8 + [(False, "thrashing")] * 3 + [(True, None)]


def test_moves_spread_over_more_than_two_minutes_need_no_rest():
    clock = Clock()
    session = stage_session(clock)
    for _ in range(20):
        assert session.go("READING" if session.current == "EXECUTION" else "EXECUTION")
        clock.wait(17.2)
