"""Executable content (SCXML 4 and 6.2) as effects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar
from xml.etree.ElementTree import Element

from interpreter.document import Branch, Effect, HookEffect, RaiseEffect, SetEffect
from interpreter.interchange.scxml.ecma import (
    FAILS,
    Known,
    Made,
    UnsupportedError,
    guard,
    quoted,
    translate,
)
from interpreter.interchange.scxml.names import event_name
from interpreter.interchange.scxml.report import Carried, Loss
from interpreter.interchange.scxml.tree import ids, tag

INTERNAL = "#_internal"
_SYSTEM = frozenset({"_event", "_sessionid", "_name", "_ioprocessors", "_x"})
_FAIL = HookEffect("fail", {"why": FAILS})


@dataclass(slots=True)
class Reading:
    """What one pass over a document has gathered so far."""

    known: Known
    typed_events: bool = False
    losses: dict[Loss, None] = field(default_factory=dict)
    branches: dict[str, tuple[Branch, ...]] = field(default_factory=dict)
    blocks: dict[str, tuple[Effect, ...]] = field(default_factory=dict)
    events: dict[str, str] = field(default_factory=dict)

    def lose(self, where: str, what: str, carried: Carried = "no") -> None:
        """Adds a line to the report, once."""
        self.losses[Loss(where, what, carried)] = None

    def event(self, name: str) -> str:
        """Our spelling of an event's name."""
        made = event_name(name)
        if made != name:
            self.events[name] = made
        return made

    def expression(self, source: str, where: str) -> Made | None:
        """Our expression, or None with a line in the report."""
        try:
            return translate(source, self.known)
        except UnsupportedError as error:
            self.lose(where, f"the expression {_short(source)}: {error}")
            return None

    def guard(self, source: str | None, where: str) -> str | None:
        """Our guard; one that cannot be read is never true, so that nothing is let through."""
        if source is None or not source.strip():
            return None
        try:
            return guard(source, self.known)
        except UnsupportedError as error:
            self.lose(where, f"the guard {_short(source)}, which is now never true: {error}")
            return "false"


def _short(source: str) -> str:
    text = " ".join(source.split())
    return repr(text if len(text) <= 60 else text[:57] + "...")


class Blocks:
    """Translates blocks; `block(element)` gives the effects of its children in order."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def block(self, content: Iterable[Element], where: str) -> tuple[Effect, ...]:
        """The effects of executable content."""
        made: list[Effect] = []
        for element in content:
            name = tag(element)
            kind = self._KINDS.get(name)
            if kind is not None:
                made += kind(self, element, where)
            elif name and not name.startswith("{"):
                self.reading.lose(where, f"<{name}> has no effect of ours")
            elif name:
                self.reading.lose(where, f"<{name}> is not of SCXML")
        return tuple(made)

    def _raise(self, element: Element, where: str) -> Iterator[Effect]:
        name = element.get("event")
        if not name:
            self.reading.lose(where, "<raise> without an event")
            return
        yield self._raised(name, {})

    def _raised(self, name: str, data: dict[str, str]) -> RaiseEffect:
        if self.reading.typed_events:
            data = {**data, "_type": "'internal'"}
        return RaiseEffect(self.reading.event(name), data or None)

    def _log(self, element: Element, where: str) -> Iterator[Effect]:
        data = {"label": quoted(element.get("label") or "")}
        source = element.get("expr")
        if source:
            try:
                data["value"] = translate(source, self.reading.known).text
            except UnsupportedError as error:
                what = f"the value {_short(source)} of a <log>: {error}"
                self.reading.lose(where, what, "note")
        yield HookEffect("log", data)

    def _assign(self, element: Element, where: str) -> Iterator[Effect]:
        location = (element.get("location") or "").strip()
        slot = self.reading.known.slots.get(location)
        source = element.get("expr")
        if location in _SYSTEM or not re.fullmatch(r"[A-Za-z_$][\w$]*", location):
            if re.match(r"[A-Za-z_$][\w$]*\.", location) and self._declared(location):
                self.reading.lose(where, f"<assign> to a part of '{location}'")
                return
            yield _FAIL
        elif slot is None:
            yield _FAIL
        elif source is None:
            text = content_text(element)
            yield SetEffect(slot[0], literal(text))
        else:
            made = self.reading.expression(source, where)
            if made is not None:
                yield SetEffect(slot[0], made.text)

    def _declared(self, location: str) -> bool:
        return location.partition(".")[0] in self.reading.known.slots

    def _if(self, element: Element, where: str) -> Iterator[Effect]:
        arms: list[tuple[str | None, list[Element]]] = [(element.get("cond"), [])]
        for child in element:
            if tag(child) in ("elseif", "else"):
                arms.append((child.get("cond"), []))
            else:
                arms[-1][1].append(child)
        made: list[Branch] = []
        for cond, content in arms:
            made.append((self.reading.guard(cond, where), self.block(content, where)))
        name = f"if_{len(self.reading.branches) + 1}"
        self.reading.branches[name] = tuple(made)
        self.reading.lose(where, "an <if>; in the document it is a hook", "beside")
        yield HookEffect(name)

    # --- sending --------------------

    def _send(self, element: Element, where: str) -> Iterator[Effect]:
        sent = self._sent(element, where)
        if sent is None:
            return
        event, target = sent.get("event", ""), sent.get("target", "")
        if target == quoted(INTERNAL) and _is_literal(event) and "idlocation" not in sent:
            yield self._raised(event[1:-1], parameters(sent))
            return
        self.reading.lose(where, "a <send> is the hook 'send': the host delivers it", "note")
        yield HookEffect("send", sent)

    def _sent(self, element: Element, where: str) -> dict[str, str] | None:
        """The data of the hook `send`: expressions by name; None when a part cannot be carried."""
        sent: dict[str, str] = {}
        for name, attribute in (
            ("event", "event"), ("target", "target"), ("type", "type"), ("id", "id"),
            ("delay", "delay"), ("idlocation", "idlocation"),
        ):  # fmt: skip
            text = element.get(attribute)
            if text is not None:
                sent[name] = quoted(text)
                continue
            source = element.get(f"{attribute}expr")
            if source is not None:
                made = self.reading.expression(source, where)
                if made is None:
                    return None
                sent[name] = made.text
        if "idlocation" in sent:
            slot = self.reading.known.slots.get(element.get("idlocation") or "")
            sent["idlocation"] = quoted(slot[0]) if slot else FAILS
        inside = self.given(element, where, element.get("namelist"))
        return None if inside is None else {**sent, **inside}

    def given(
        self, element: Element, where: str, namelist: str | None = None
    ) -> dict[str, str] | None:
        """`<param>`, `namelist` and `<content>`: expressions by `param.<name>` or `content`."""
        found: dict[str, str] = {}
        sources = [(name, name) for name in ids(namelist)]
        for child in element:
            if tag(child) == "param":
                source = child.get("expr") or child.get("location") or ""
                sources.append((child.get("name") or "", source.strip()))
            elif tag(child) == "content":
                content = self._content(child, where)
                if content is None:
                    return None
                found |= content
        for name, source in sources:
            made = self.reading.expression(source, where)
            if made is None:
                return None
            found[f"param.{name}"] = made.text
        return found

    def _content(self, element: Element, where: str) -> dict[str, str] | None:
        source = element.get("expr")
        if source is not None:
            made = self.reading.expression(source, where)
            return None if made is None else {"content": made.text}
        if len(element):
            self.reading.lose(where, "a <content> of XML")
            return None
        text = content_text(element)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and all(_is_scalar(one) for one in value.values()):
            return {f"param.{name}": literal(json.dumps(one)) for name, one in value.items()}
        return {"content": literal(text)}

    def _cancel(self, element: Element, where: str) -> Iterator[Effect]:
        name, source = element.get("sendid"), element.get("sendidexpr")
        made = quoted(name or "")
        if name is None and source is not None:
            found = self.reading.expression(source, where)
            if found is None:
                return
            made = found.text
        yield HookEffect("cancel", {"id": made})

    _KINDS: ClassVar[dict[str, Callable[[Blocks, Element, str], Iterator[Effect]]]] = {
        "raise": _raise,
        "log": _log,
        "assign": _assign,
        "if": _if,
        "send": _send,
        "cancel": _cancel,
    }


def _is_literal(text: str) -> bool:
    return re.fullmatch(r"'[^'\\]*'", text) is not None


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))


def parameters(sent: dict[str, str]) -> dict[str, str]:
    """The data of an event, from that of the hook `send`."""
    data = {k.removeprefix("param."): v for k, v in sent.items() if k.startswith("param.")}
    if "content" in sent:
        data["_content"] = sent["content"]
    return data


def content_text(element: Element) -> str:
    """The text inside, its white space made single (SCXML B.2.8.1)."""
    return " ".join("".join(element.itertext()).split())


def literal(text: str) -> str:
    """A JSON scalar as a literal of ours, any other text as a string."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return quoted(text)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) <= 10**15:
        return f"(-{-value})" if value < 0 else str(value)
    return quoted(value) if isinstance(value, str) else quoted(text)
