"""What an Agent asks the decision lane, and how its tools are called (product.md section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, StrictBool, StringConstraints

from interpreter.document.words import CONFIG, Confidence, Duration, Key, Label, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDoc:
    """One answer that a question offers; it is raised as `decision.<question>.<key>`."""

    key: Key
    label: Label | None = None
    description: Text = ""
    examples: Annotated[tuple[Text, ...], Field(max_length=200)] = ()
    keywords: Annotated[tuple[Label, ...], Field(max_length=200)] = ()
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDoc:
    """A question about what the caller said.

    `context`: whether the conversation so far is given along. A `yes_no` question offers `yes`
    and `no` where it lists no answers of its own.
    """

    key: Key
    label: Label | None = None
    kind: Literal["choice", "yes_no", "several"] = "choice"
    context: StrictBool = False
    answers: Annotated[tuple[AnswerDoc, ...], Field(max_length=200)] = ()
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG

    @property
    def offered(self) -> tuple[str, ...]:
        """The keys of its answers."""
        if self.kind == "yes_no" and not self.answers:
            return ("yes", "no")
        return tuple(answer.key for answer in self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSetDoc:
    """Questions that are asked together; a state names the set in `ask`."""

    key: Key
    label: Label | None = None
    questions: Annotated[tuple[QuestionDoc, ...], Field(max_length=100)] = ()
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Who answers the questions; below `threshold` an answer is `unsure`."""

    provider: Literal["embedded", "keywords", "openai"] | None = None
    model: Label = ""
    threshold: Confidence = 0.6
    timeout: Duration = "3s"
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """How a tool is called: by the host of the Call, or by HTTP."""

    kind: Literal["host", "http"] = "host"
    url: Annotated[str, StringConstraints(max_length=2_000)] | None = None
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None = None
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


HOST_CALL = ToolCall()
"""The call of a tool that says nothing of it."""
