"""Named checkpoints of a run of stages, and pauses that are resumed once (source-systems.md 1.5).

A checkpoint is the run as JSON with a description. Branches are not merged: a fork goes its own
way. Ids are numbered within their session, so that the same acts give the same ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from interpreter.library.stage_run import StageRun

KEEP = 50
EVERY = 5
AUTO = "auto"


class UnknownError(LookupError):
    """There is no checkpoint, or no open pause, with this id. An API answers 404."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A run as it was; `parent` is the checkpoint before it, in this session or in its origin."""

    id: str
    description: str
    tags: tuple[str, ...]
    parent: str | None
    at: datetime
    state: Mapping[str, Any]

    @property
    def stage(self) -> str:
        """The stage it stands in."""
        visited = self.state["session"]["visited"]
        return str(visited[-1])


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed from one checkpoint to another; files by what happened to them."""

    stage: tuple[str, str] | None
    messages_added: tuple[tuple[str, str], ...]
    messages_removed: tuple[tuple[str, str], ...]
    tools_added: tuple[str, ...]
    tools_removed: tuple[str, ...]
    files: Mapping[str, str]


class Checkpoints:
    """The checkpoints of one session, the newest `keep` of them.

    `acted` saves one by itself after `every` actions. A fork shares nothing with its origin but
    the ids that it names as parents.
    """

    def __init__(
        self,
        session_id: str,
        clock: Callable[[], datetime],
        *,
        keep: int = KEEP,
        every: int = EVERY,
        parent: str | None = None,
    ) -> None:
        self.session_id = session_id
        self._clock = clock
        self._keep = keep
        self._every = every
        self._saved: dict[str, Checkpoint] = {}
        self._numbered = 0
        self._acts = 0
        self._latest = parent

    def save(self, run: StageRun, description: str = "", tags: Iterable[str] = ()) -> Checkpoint:
        """Keeps the run as it is now; the oldest goes when there are too many."""
        self._numbered += 1
        made = Checkpoint(
            f"{self.session_id}-{self._numbered}",
            description,
            tuple(tags),
            self._latest,
            self._clock(),
            run.to_json(),
        )
        self._saved[made.id] = made
        self._latest = made.id
        while len(self._saved) > self._keep:
            del self._saved[next(iter(self._saved))]
        return made

    def acted(self, run: StageRun) -> Checkpoint | None:
        """Counts an action; every `every` of them the run is kept, under the tag `auto`."""
        self._acts += 1
        if self._acts % self._every:
            return None
        return self.save(run, f"after {self._acts} actions", (AUTO,))

    def listed(self, *, limit: int | None = None, offset: int = 0) -> list[Checkpoint]:
        """The newest first."""
        newest = list(reversed(self._saved.values()))[offset:]
        return newest if limit is None else newest[:limit]

    def get(self, checkpoint: str) -> Checkpoint:
        """Raises UnknownError."""
        found = self._saved.get(checkpoint)
        if found is None:
            raise UnknownError(f"there is no checkpoint '{checkpoint}'")
        return found

    def restore(self, checkpoint: str, run: StageRun) -> None:
        """Puts the run back to where it was. Raises UnknownError; then nothing has changed."""
        found = self.get(checkpoint)
        run.restore(found.state)
        self._latest = found.id

    def fork(self, checkpoint: str, session_id: str, run: StageRun) -> Checkpoints:
        """A new session whose `run` (a fresh one) starts at a checkpoint of this one.

        Its first checkpoint has the tags `fork` and `from:<session>`. Raises UnknownError.
        """
        found = self.get(checkpoint)
        run.restore(found.state)
        made = Checkpoints(
            session_id, self._clock, keep=self._keep, every=self._every, parent=found.id
        )
        made.save(run, f"fork of {found.id}", ("fork", f"from:{self.session_id}"))
        return made

    def diff(self, before: str, after: str) -> Difference:
        """What changed between two. Raises UnknownError."""
        one, two = self.get(before), self.get(after)
        old, new = one.state, two.state
        said, says = _pairs(old["messages"]), _pairs(new["messages"])
        used, uses = old["tool_history"], new["tool_history"]
        return Difference(
            (one.stage, two.stage) if one.stage != two.stage else None,
            tuple(says[_common(said, says) :]),
            tuple(said[_common(said, says) :]),
            tuple(uses[_common(used, uses) :]),
            tuple(used[_common(used, uses) :]),
            _files(old, new),
        )

    def timeline(self) -> list[str]:
        """A line per checkpoint, oldest first: id, time, stage, description."""
        return [
            f"{one.id}  {one.at.isoformat()}  {one.stage}  {one.description}".rstrip()
            for one in self._saved.values()
        ]


def _pairs(messages: Iterable[Iterable[str]]) -> list[tuple[str, str]]:
    return [(role, text) for role, text in messages]


def _common(one: list[Any], two: list[Any]) -> int:
    """How many items both begin with."""
    for place, (left, right) in enumerate(zip(one, two, strict=False)):
        if left != right:
            return place
    return min(len(one), len(two))


def _files(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """`ADDED` and `REMOVED` by path, of the files seen or written."""
    had = {*old["observed_files"], *old["modified_files"]}
    has = {*new["observed_files"], *new["modified_files"]}
    return {
        **dict.fromkeys(sorted(has - had), "ADDED"),
        **dict.fromkeys(sorted(had - has), "REMOVED"),
    }


class Pauses:
    """Runs that wait for an approval. Plain values: `to_json` outlives the process."""

    def __init__(self, run_id: str, saved: Mapping[str, Any] | None = None) -> None:
        self.run_id = run_id
        self._open: dict[str, dict[str, Any]] = dict((saved or {}).get("open", {}))
        self._numbered = int((saved or {}).get("numbered", 0))

    def pause(self, run: StageRun, request: str) -> str:
        """Keeps the run and what is asked of a person; the id is for `resume`."""
        self._numbered += 1
        pause = f"{self.run_id}-pause-{self._numbered}"
        self._open[pause] = {"request": request, "state": run.to_json()}
        return pause

    def waiting(self) -> dict[str, str]:
        """What is asked, by id."""
        return {pause: held["request"] for pause, held in self._open.items()}

    def resume(self, pause: str, run: StageRun) -> str:
        """Puts the run back and gives what was asked; an id works once.

        Raises UnknownError for one that is unknown or used; then nothing has changed.
        """
        held = self._open.get(pause)
        if held is None:
            raise UnknownError(f"there is no open pause '{pause}'")
        run.restore(held["state"])
        del self._open[pause]
        return str(held["request"])

    def to_json(self) -> dict[str, Any]:
        """All that a new process needs: `Pauses(run_id, saved)`."""
        return {"open": dict(self._open), "numbered": self._numbered}
