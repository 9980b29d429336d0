"""Detectors made from a chart: the keywords of its states, looked for in a message."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.session.host import Context, Detector
from interpreter.stepping import Machine

KEYWORD_CONFIDENCE = 0.7


def keyword_scores(
    keywords: Mapping[str, tuple[str, ...]], text: str, weak: Mapping[str, float] | None = None
) -> dict[str, float]:
    """How much of each state's `keywords` stands in the text; only states with a hit.

    A keyword counts 1, or what `weak` says of it. Letters are compared without case, and a keyword
    may stand inside a word.
    """
    said = text.lower()
    scores: dict[str, float] = {}
    for state, words in keywords.items():
        score = sum((weak or {}).get(word, 1.0) for word in words if word.lower() in said)
        if score > 0:
            scores[state] = score
    return scores


def keyword_detector(machine: Machine, *, confidence: float = KEYWORD_CONFIDENCE) -> Detector:
    """A detector that reads `context["message"]` for the keywords of the machine's states.

    The highest score wins, a tie goes to the earlier state; no hit says nothing.
    """
    keywords = {
        key: tuple(getattr(node.doc, "keywords", ()) or ()) for key, node in machine.states.items()
    }

    def detect(context: Context) -> tuple[str, float] | None:
        message = context.get("message")
        scores = keyword_scores(keywords, message) if isinstance(message, str) else {}
        if not scores:
            return None
        return max(scores, key=lambda state: scores[state]), confidence

    return detect
