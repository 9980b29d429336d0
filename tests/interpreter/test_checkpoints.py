"""Checkpoints and pauses of a run of stages (source-systems.md 1.5, rows of group I).

Branches are not merged here: a fork goes its own way (the page's head leaves that part out).
Over HTTP the error for an unknown id is a 404; here it is a LookupError.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest

from interpreter.library.checkpoints import Checkpoints, Pauses, UnknownError
from interpreter.library.stage_run import StageRun


class Clock:
    def __init__(self):
        self.now = datetime(2026, 11, 30, tzinfo=UTC)

    def __call__(self):
        self.now += timedelta(seconds=3)
        return self.now


def begun(*lines, **more):
    clock = Clock()
    run = StageRun(clock)
    run.run(lines)
    return run, Checkpoints("s1", clock, **more), clock


PLAN = {"user": "make a plan"}
WRITE = {"user": "implement it"}
VERIFY = {"user": "verify it"}


@pytest.mark.row("F158")
def test_a_checkpoint_has_a_description_and_tags_and_the_newest_is_listed_first():
    run, points, _ = begun(PLAN)
    first = points.save(run, "planned", ("good",))
    run.play(WRITE)
    second = points.save(run, "written")
    third = points.save(run)
    assert [one.id for one in points.listed()] == [third.id, second.id, first.id]
    assert [one.id for one in points.listed(limit=1, offset=1)] == [second.id]
    assert (first.description, first.tags, first.stage) == ("planned", ("good",), "PLANNING")
    assert (first.parent, second.parent) == (None, first.id)
    assert len({first.id, second.id, third.id}) == 3


@pytest.mark.row("F159")
def test_a_checkpoint_is_restored_and_an_unknown_one_changes_nothing():
    run, points, _ = begun(PLAN)
    first = points.save(run)
    kept = run.to_json()
    run.run([WRITE, {"tool": "write", "args": {"path": "a.py"}}])
    later = run.to_json()
    with pytest.raises(UnknownError, match="'s1-99'"):
        points.restore("s1-99", run)
    assert run.to_json() == later
    points.restore(first.id, run)
    assert (run.stage, run.to_json()) == ("PLANNING", kept)


@pytest.mark.row("F160")
def test_a_fork_starts_at_its_checkpoint_and_leaves_the_original_alone():
    run, points, clock = begun(PLAN)
    first = points.save(run)
    run.play(WRITE)
    kept, listed = run.to_json(), points.listed()
    other = StageRun(clock)
    forked = points.fork(first.id, "s2", other)
    assert other.stage == "PLANNING"
    other.run([{"user": "analyze why"}])
    assert other.stage == "ANALYSIS"
    assert (run.to_json(), points.listed()) == (kept, listed)
    (made,) = forked.listed()
    assert (made.parent, made.tags) == (first.id, ("fork", "from:s1"))
    with pytest.raises(UnknownError):
        points.fork("nothing", "s3", StageRun(clock))


@pytest.mark.row("F161")
def test_two_checkpoints_differ_by_stage_messages_tools_and_files():
    run, points, _ = begun(PLAN, {"tool": "read", "args": {"path": "a.py"}})
    one = points.save(run)
    run.run([WRITE, {"tool": "edit", "args": {"path": "b.py"}}])
    two = points.save(run)
    there = points.diff(one.id, two.id)
    assert there.stage == ("PLANNING", "EXECUTION")
    assert (there.messages_added, there.messages_removed) == ((("user", "implement it"),), ())
    assert (there.tools_added, there.tools_removed) == (("edit",), ())
    assert there.files == {"b.py": "ADDED"}
    back = points.diff(two.id, one.id)
    assert back.stage == ("EXECUTION", "PLANNING")
    assert (back.messages_added, back.messages_removed) == ((), (("user", "implement it"),))
    assert (back.tools_added, back.tools_removed) == ((), ("edit",))
    assert back.files == {"b.py": "REMOVED"}
    same = points.diff(one.id, one.id)
    assert (same.stage, same.messages_added, same.tools_added, same.files) == (None, (), (), {})


@pytest.mark.row("F162")
def test_a_checkpoint_is_made_every_few_actions_and_the_oldest_goes():
    run, points, _ = begun(every=5, keep=50)
    made = [points.acted(run) for _ in range(11)]
    assert [number for number, one in enumerate(made, 1) if one] == [5, 10]
    assert [one.tags for one in points.listed()] == [("auto",), ("auto",)]
    for _ in range(49):
        points.save(run)
    assert len(points.listed()) == 50
    assert points.listed()[-1].id == "s1-2"
    with pytest.raises(UnknownError):
        points.get("s1-1")


@pytest.mark.row("F163")
def test_the_timeline_lists_and_a_branch_from_the_second_replays_the_same_steps():
    """Timeline, branch and replay; merging branches is left out of the product."""
    run, points, clock = begun()
    for line in (PLAN, WRITE, VERIFY):
        run.play(line)
        points.save(run, f"after: {line['user']}")
    assert [(line.split()[0], line.split()[2]) for line in points.timeline()] == [
        ("s1-1", "PLANNING"), ("s1-2", "EXECUTION"), ("s1-3", "VERIFICATION"),
    ]  # fmt: skip
    again = StageRun(clock)
    branch = points.fork("s1-2", "s2", again)
    assert branch.listed()[0].parent == "s1-2"
    assert again.stage == "EXECUTION"
    again.play(VERIFY)
    assert again.session.history.sequence == run.session.history.sequence
    assert [row["confidence"] for row in again.history()] == [
        row["confidence"] for row in run.history()
    ]


@pytest.mark.row("F164")
def test_a_pause_is_resumed_once_even_by_another_process():
    run, _, clock = begun(PLAN)
    pauses = Pauses("run-7")
    pause = pauses.pause(run, "May I write?")
    assert pauses.waiting() == {pause: "May I write?"}
    kept = json.loads(json.dumps(pauses.to_json()))
    later, again = Pauses("run-7", kept), StageRun(clock)
    with pytest.raises(UnknownError):
        later.resume("run-7-pause-99", again)
    assert again.stage == "INITIAL"
    assert later.resume(pause, again) == "May I write?"
    assert again.stage == "PLANNING"
    again.play(WRITE)
    assert again.stage == "EXECUTION"
    with pytest.raises(UnknownError, match=pause):
        later.resume(pause, again)
    assert again.stage == "EXECUTION"
    assert later.pause(again, "And now?") != pause
