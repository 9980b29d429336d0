"""SCXML that we wrote, read back: structure and targets from SCXML, the rest from `cc:`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from interpreter.document import AgentDoc, parse_agent
from interpreter.errors import DocumentError, pointer
from interpreter.interchange.scxml.report import InterchangeError
from interpreter.interchange.scxml.tree import STATES, children, ids, own, tag


def is_ours(root: Element) -> bool:
    """Whether a document says that it holds a chart of ours."""
    return own(root, "more") is not None


def read_ours(root: Element) -> AgentDoc:
    """The agent document that was written. Raises InterchangeError when it was broken since."""
    try:
        agent = _agent(root)
        return parse_agent(agent)
    except DocumentError as error:
        first = error.problems[0]
        raise InterchangeError(f"{pointer(first.path)}: {first.message}") from None
    except RecursionError:
        raise InterchangeError("the states are nested too deep") from None


def _agent(root: Element) -> dict[str, Any]:
    agent = _more(root)
    limits = agent.pop("limits", None)
    slots = [
        _more(one) for model in children(root, "datamodel") for one in children(model, "data")
    ]
    if slots:
        agent["slots"] = slots
    keys = {one.get("id") or "": _key(one) for one in root.iter()}
    around = next(children(root, "parallel"), None)
    if own(root, "region") is not None:
        regions = [_region(root, keys)]
    else:
        inside = children(around, "state") if around is not None else ()
        regions = [_own_region(one, keys) for one in inside]
    if regions or limits:
        machine: dict[str, Any] = {"regions": regions}
        if limits:
            machine["limits"] = limits
        agent["machine"] = {"format": "callchart.machine/1", **machine}
    return agent


def _key(element: Element) -> str:
    """The key of a state: its id, but for the one id that the root's `<parallel>` has."""
    name = element.get("id") or ""
    return "machine" if name == "machine_" else name


def _region(element: Element, keys: dict[str, str]) -> dict[str, Any]:
    """The region that an element is, or holds as its only one."""
    region = _json(element, "region")
    initial = ids(element.get("initial"))
    if initial:
        region["initial"] = keys.get(initial[0], initial[0])
    region["states"] = [_state(one, keys) for one in children(element, *STATES, "history")]
    return region


def _own_region(element: Element, keys: dict[str, str]) -> dict[str, Any]:
    """A region with an element of its own."""
    return {**_region(element, keys), "transitions": list(_transitions(element, keys))}


def _state(element: Element, keys: dict[str, str]) -> dict[str, Any]:
    state = {"key": _key(element), **_more(element)}
    name = tag(element)
    if name in ("final", "history"):
        state["kind"] = name
    state["transitions"] = list(_transitions(element, keys))
    if own(element, "region") is not None:
        state["regions"] = [_region(element, keys)]
    elif name == "parallel":
        state["regions"] = [_own_region(one, keys) for one in children(element, "state")]
    return state


def _transitions(element: Element, keys: dict[str, str]) -> Iterator[dict[str, Any]]:
    for one in children(element, "transition"):
        made = _more(one)
        target = ids(one.get("target"))
        if target:
            made["target"] = keys.get(target[0], target[0])
        yield made


def _more(element: Element) -> dict[str, Any]:
    return _json(element, "more")


def _json(element: Element, name: str) -> dict[str, Any]:
    text = own(element, name)
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InterchangeError(f"<{tag(element)}>: cc:{name} is no JSON object")
    return value
