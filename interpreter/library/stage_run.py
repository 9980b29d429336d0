"""A run of stages that moves by itself: by what the user says and by the tools that are used.

The constants are those of the source system's code (source-systems.md 1.2). Time is that of the
clock handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from interpreter import Result, Session, keyword_scores
from interpreter.library.bus import CYCLE_VISITS, SEQUENCE_TAIL, Bus
from interpreter.library.stage_facts import Facts, ToolUse, View
from interpreter.library.stage_sets import SETS, StageSet
from interpreter.library.stage_tables import WEAK
from interpreter.library.stages import COOLDOWN_SECONDS, HISTORY_LIMIT, THRASHING

MESSAGE_CONFIDENCE = 0.7
LLM_FLOOR = 0.6
MIN_TOOLS = 5
HISTORY_TOOLS = 10
BOOSTS = (0.15, 0.08, 0.0)
STRATEGIES = ("heuristic", "llm")
BUDGET = 50

Detected = tuple[str, float]
Llm = Callable[[str, str], Detected | None]
"""Takes what was said (or the names of the last tools) and the stage; gives a stage, or None."""


class StageRun:
    """One run. `say` and `use` are what happens; the stage follows.

    `strategies` are asked in order, the next one only when the one before says nothing; `llm`
    stands for a model. With `enforce_tools` a tool outside of the stage and its neighbours is
    refused, else it is allowed with a warning. `min_tools` is how many distinct tools of a stage
    among the last five speak for it. With `track_history` off, moves are counted and not kept.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        stages: StageSet = SETS["coding"],
        *,
        strategies: Sequence[str] = STRATEGIES,
        llm: Llm | None = None,
        min_tools: int = MIN_TOOLS,
        enforce_tools: bool = False,
        track_history: bool = True,
        budget: int = BUDGET,
        bus: Bus | None = None,
        intent: str | None = None,
    ) -> None:
        for strategy in strategies:
            if strategy not in STRATEGIES:
                raise ValueError(f"there is no strategy '{strategy}'")
        self.stages = stages
        self.facts = Facts()
        self.bus = bus
        self.enforce_tools = enforce_tools
        self.budget = budget
        self._clock = clock
        self._strategies = tuple(strategies)
        self._llm = llm
        self._min_tools = min_tools
        self._intent = intent
        self._changed: list[Callable[[View, View], None]] = []
        self._in_turn = False
        limit = HISTORY_LIMIT if track_history else 0
        self.session = Session(
            stages.machine(), clock=clock, history_limit=limit, thrashing=THRASHING
        )

    # --- reading ------------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        """The stage it is in."""
        return self.session.current

    @property
    def state(self) -> View:
        """What an agent shows of itself now; a value, which later moves do not change."""
        facts = self.facts
        return View(
            self.stage,
            len(facts.tool_history),
            self.budget,
            tuple(facts.observed_files),
            tuple(facts.modified_files),
            len(facts.messages),
        )

    def summary(self) -> dict[str, Any]:
        """Stage, confidence, counts, the last tools and those that are recommended."""
        facts = self.facts
        return {
            "stage": self.stage,
            "confidence": facts.confidence,
            "message_count": len(facts.messages),
            "tools_executed": len(facts.tool_history),
            "files_observed": len(facts.observed_files),
            "files_modified": len(facts.modified_files),
            "last_tools": facts.last_tools,
            "recommended_tools": sorted(self.recommended()),
        }

    def history(self) -> list[dict[str, Any]]:
        """A row per move: from_stage, to_stage, confidence, timestamp (seconds since 1970),
        datetime (ISO 8601), transition_number, message_count, tool_count (of the last ten).
        """
        return [
            {
                "from_stage": move.from_state,
                "to_stage": move.to_state,
                "confidence": move.confidence,
                "timestamp": move.at.timestamp(),
                "datetime": move.at.isoformat(),
                "transition_number": move.number,
                "message_count": move.context["message_count"],
                "tool_count": len(move.context["tool_history"]),
            }
            for move in self.session.history
        ]

    def document(self, rows: int = 10) -> dict[str, Any]:
        """The short form of a run: current stage, count of moves, the last rows."""
        moves = self.session.history.last(rows)
        return {
            "current_stage": self.stage,
            "transition_count": self.session.count,
            "history": [
                {
                    "from": move.from_state,
                    "to": move.to_state,
                    "timestamp": move.at.timestamp(),
                    "confidence": move.confidence,
                }
                for move in moves
            ],
        }

    def predict(self) -> dict[str, float]:
        """What usually comes next, by probability, the likeliest first."""
        rows = self.stages[self.stage].next_stages
        return dict(sorted(rows.items(), key=lambda row: -row[1]))

    # --- tools --------------------------------------------------------------------------------

    def boost(self, tool: str) -> float:
        """What a tool gains in priority: 0.15 in the stage, 0.08 beside it, else 0."""
        here = self.stages.names.index(self.stage)
        for distance, boost in enumerate(BOOSTS[:2]):
            for place in {here - distance, here + distance}:
                if (
                    0 <= place < len(self.stages.stages)
                    and tool in self.stages.stages[place].tools
                ):
                    return boost
        return BOOSTS[2]

    def recommended(self) -> frozenset[str]:
        """The tools of the stage and of those beside it."""
        every = {tool for stage in self.stages.stages for tool in stage.tools}
        return frozenset(tool for tool in every if self.boost(tool) > 0)

    def allows(self, tool: str) -> ToolUse:
        """Whether a tool may be used now, and what is to be said about it."""
        if self.boost(tool) > 0:
            return ToolUse(allowed=True)
        said = f"'{tool}' is not a tool of stage {self.stage} or of one beside it"
        if self.enforce_tools:
            return ToolUse(allowed=False, reason=said)
        return ToolUse(allowed=True, warning=said)

    # --- what happens -------------------------------------------------------------------------

    def say(self, text: str, *, role: str = "user") -> Result | None:
        """A message. What the user says may move the stage; what others say is only counted."""
        before = self.state
        self.facts.messages.append([role, text])
        if role != "user":
            return None
        found = self.detect_from_text(text)
        return self._follow(found, before)

    def use(self, tool: str, arguments: Mapping[str, Any] | None = None) -> ToolUse:
        """A tool. Outside of a turn the stage is looked at after each one."""
        asked = self.allows(tool)
        if not asked.allowed:
            return asked
        before = self.state
        self.facts.record(tool, arguments or {})
        if self._in_turn:
            return asked
        moved = self._follow(self._detected(), before)
        return ToolUse(asked.allowed, asked.warning, None, moved)

    def begin_turn(self) -> None:
        """From here on the stage is looked at once, at the end of the turn."""
        self._in_turn = True

    def end_turn(self) -> Result | None:
        """Looks at the stage once for all that was done in the turn."""
        self._in_turn = False
        return self._follow(self._detected(), self.state)

    def go(self, stage: str, confidence: float = 1.0) -> Result:
        """A direct move, under the same rules."""
        return self._go(stage, confidence, self.state)

    def on_state_change(self, callback: Callable[[View, View], None]) -> None:
        """Calls back with the state before a move and the one after it."""
        self._changed.append(callback)

    def stream(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[View]:
        """Plays `{"user" | "assistant": text}` and `{"tool": name, "args": {}}`; the state after
        each line.
        """
        for line in lines:
            self.play(line)
            yield self.state

    def run(self, lines: Iterable[Mapping[str, Any]]) -> View:
        """Plays all lines; the state after the last."""
        for _ in self.stream(lines):
            pass
        return self.state

    def play(self, line: Mapping[str, Any]) -> None:
        """One line. Raises ValueError for what is none."""
        if "tool" in line:
            self.use(line["tool"], line.get("args"))
        elif "user" in line:
            self.say(line["user"])
        elif "assistant" in line:
            self.say(line["assistant"], role="assistant")
        else:
            raise ValueError(f"a line holds user, assistant or tool, not {sorted(line)}")

    # --- detection ----------------------------------------------------------------------------

    def scores(self, text: str) -> dict[str, float]:
        """How much speaks for each stage in a text: 1 a keyword, one half a weak one."""
        return keyword_scores(self.stages.keywords, text, WEAK)

    def detect_from_text(self, text: str) -> Detected | None:
        """The stage a message points at; ties go to the earlier stage.

        The first message does not lead to EXECUTION before any file was seen: READING comes first.
        """
        found: Detected | None = None
        for strategy in self._strategies:
            found = self._from_words(text) if strategy == "heuristic" else self._from_llm(text)
            if found is not None:
                break
        if found is None:
            return None
        first = len([m for m in self.facts.messages if m[0] == "user"]) <= 1
        early = found[0] == "EXECUTION" and "READING" in self.stages.names
        if early and first and not self.facts.observed_files:
            return "READING", found[1]
        return found

    def _from_words(self, text: str) -> Detected | None:
        scores = self.scores(text)
        if not scores:
            return None
        return max(scores, key=lambda stage: scores[stage]), MESSAGE_CONFIDENCE

    def _from_llm(self, said: str) -> Detected | None:
        answer = self._llm(said, self.stage) if self._llm is not None else None
        if answer is None or answer[0] not in self.stages.names:
            return None
        stage, confidence = answer
        facts = self.facts
        sure = confidence >= 0.95 and len(facts.observed_files) > 10
        if stage != "EXECUTION" or "ANALYSIS" not in self.stages.names:
            return stage, confidence
        if sure and not facts.modified_files:
            return "ANALYSIS", 0.7
        if self._intent in ("READ_ONLY", "DISPLAY_ONLY"):
            return "ANALYSIS", confidence * 0.8
        return stage, confidence

    def _detected(self) -> Detected | None:
        """The stage that the last tools speak for; nobody is asked while the stage rests."""
        last = self.session.history.last(1)
        cooldown = timedelta(seconds=COOLDOWN_SECONDS)
        if last and self._clock() - last[0].at < cooldown:
            return None
        used = set(self.facts.last_tools)
        overlap = {stage.name: len(used & set(stage.tools)) for stage in self.stages.stages}
        most = max(overlap.values())
        if most < self._min_tools:
            answer = self._from_llm(" ".join(self.facts.last_tools)) if used else None
            return answer if answer is not None and answer[1] > LLM_FLOOR else None
        best = [name for name, score in overlap.items() if score == most]
        stage = self.stage if self.stage in best else best[-1]
        return stage, 0.6 + 0.1 * most

    # --- moving -------------------------------------------------------------------------------

    def _follow(self, found: Detected | None, before: View) -> Result | None:
        if found is None or found[0] == self.stage:
            return None
        return self._go(found[0], found[1], before)

    def _context(self, confidence: float) -> dict[str, Any]:
        facts = self.facts
        return {
            "confidence": max(0.0, min(1.0, confidence)),
            "tool_history": facts.tool_history[-HISTORY_TOOLS:],
            "last_tools": facts.last_tools,
            "message_count": len(facts.messages),
            "files_observed": len(facts.observed_files),
            "files_modified": len(facts.modified_files),
            "transition_count": self.session.count,
        }

    def _go(self, stage: str, confidence: float, before: View) -> Result:
        old, context = self.stage, self._context(confidence)
        result = self.session.go(stage, confidence=confidence, context=context)
        if not result.moved:
            return result
        self.facts.confidence = context["confidence"]
        if self.bus is not None:
            self._publish(self.bus, old, context)
        for callback in list(self._changed):
            callback(before, self.state)
        return result

    def _publish(self, bus: Bus, old: str, context: Mapping[str, Any]) -> None:
        """One event for one move, with all that is known of it; a warning when it goes round."""
        history = self.session.history
        last = history.last(1)
        data = {
            "old_stage": old,
            "new_stage": self.stage,
            "confidence": context["confidence"],
            "transition_count": self.session.count,
            "message_count": context["message_count"],
            "tools_executed": len(self.facts.tool_history),
            "files_observed": context["files_observed"],
            "files_modified": context["files_modified"],
            "category": "state",
            "has_cycle": history.has_cycle,
            "visit_count": history.visits(self.stage),
            "stage_sequence": history.sequence,
            "stage_duration_ms": last[0].stayed_ms if last else None,
        }
        bus.publish("state.stage_changed", data)
        if data["has_cycle"] and data["visit_count"] >= CYCLE_VISITS:
            warning = {
                "stage": self.stage,
                "visit_count": data["visit_count"],
                "sequence": history.sequence[-SEQUENCE_TAIL:],
                "severity": "warning",
                "category": "error",
            }
            bus.publish("error.cycle_warning", warning)

    # --- saving -------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The whole run as JSON; `restore` takes it back."""
        facts = self.facts
        return {
            "session": self.session.to_json(),
            "tool_history": list(facts.tool_history),
            "observed_files": list(facts.observed_files),
            "modified_files": list(facts.modified_files),
            "messages": [list(message) for message in facts.messages],
            "confidence": facts.confidence,
        }

    def restore(self, value: Mapping[str, Any]) -> None:
        """Continues the run that `to_json` wrote: stage, history, count and cooldown with it.

        Raises SnapshotError for a stage that the set lacks, KeyError for what is no saved run.
        """
        facts = Facts(
            list(value["tool_history"]),
            list(value["observed_files"]),
            list(value["modified_files"]),
            [list(message) for message in value["messages"]],
            float(value["confidence"]),
        )
        self.session.restore(value["session"])
        self.facts = facts
