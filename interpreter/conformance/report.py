"""The verdicts of a suite, counted by tier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.conformance.suite import Verdict

TIERS = {1: "structure", 2: "simple expressions", 3: "send and delay", 4: "out of scope"}


@dataclass(frozen=True, slots=True)
class Tally:
    """How many tests of a tier passed, failed or could not apply; copies are counted apart."""

    tier: int
    passed: int
    failed: int
    not_applicable: int
    copies: int

    @classmethod
    def of(cls, tier: int, verdicts: Iterable[Verdict]) -> Tally:
        """The tally of one tier."""
        mine = [verdict for verdict in verdicts if verdict.case.tier == tier]
        own = [verdict.status for verdict in mine if not verdict.case.copy]
        return cls(
            tier,
            own.count("pass"),
            own.count("fail"),
            own.count("not applicable"),
            len(mine) - len(own),
        )


def table_of(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The table, then each miss with its reason. A tier that has no case is left out."""
    yield f"{'tier':<26}{'tests':>7}{'pass':>7}{'fail':>7}{'n/a':>7}{'copies':>9}"
    for tier, name in TIERS.items():
        one = Tally.of(tier, verdicts)
        tests = one.passed + one.failed + one.not_applicable
        if tests:
            yield (
                f"{f'{tier} {name}':<26}{tests:>7}{one.passed:>7}{one.failed:>7}"
                f"{one.not_applicable:>7}{one.copies:>9}"
            )
    for verdict in verdicts:
        if verdict.status != "pass" and (verdict.status == "fail" or verdict.case.tier < 4):
            note = f" [{verdict.case.note}]" if verdict.case.note else ""
            yield f"{verdict.status}: {verdict.case.name}: {verdict.reason}{note}"
