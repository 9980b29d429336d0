"""What can be done about a problem with one click, by its code.

A fix is a few edits of the document (``rule.Edit``). It is offered only where it is plain what
is meant: it takes the problem away, and what it takes along is said on its label.
"""

import re
from collections.abc import Callable, Collection
from typing import Any

from interpreter.analysis import RegionPlace, StatePlace
from interpreter.errors import Path
from interpreter.expressions import nearest

from .chart import Chart
from .rule import Edit, Fix, Found

Maker = Callable[[Chart, Found], Fix | None]
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WAIT = "20s"


def fix_for(chart: Chart, found: Found) -> Fix | None:
    """The fix of a problem, or None; never raises for a path that its rule gave."""
    make = FIXES.get(found.code)
    return make(chart, found) if make is not None else None


def at(chart: Chart, path: Path) -> Any:
    """What stands at a path of the chart; None when nothing does."""
    value: Any = chart.machine if path[0] in ("regions", "limits") else chart
    for part in path:
        if isinstance(part, int):
            value = value[part] if isinstance(value, (list, tuple)) and part < len(value) else None
        elif isinstance(value, dict):
            value = value.get(part)
        else:
            value = getattr(value, "raises" if part == "raise" else part, None)
    return value


def _set(label: str, path: Path, value: Any = None) -> Fix:
    return Fix(label, (Edit("set", path, value),))


# --- names that lead nowhere --------------------


def _names(chart: Chart, kind: str) -> Collection[str]:
    keys = {
        "target": chart.index.by_key,
        "prompt": [prompt.key for prompt in chart.prompts],
        "tool": [tool.key for tool in chart.tools],
        "outcome": [outcome.key for outcome in chart.outcomes],
        "slot": chart.slots_by_key,
        "agent": [member.key for member in chart.squad],
        "question_set": [one.key for one in chart.question_sets or ()],
        "state": chart.index.by_key,
        "question": chart.scope.decisions,
    }
    return keys[kind]


_LISTS = {"prompt": "prompts", "tool": "tools", "outcome": "outcomes"}


def _unknown(chart: Chart, found: Found) -> Fix | None:
    kind = found.code.partition(".")[0]
    word = at(chart, found.path)
    if not isinstance(word, str):
        return None
    if found.span is not None:
        return _misspelt(chart, found, word, _names(chart, kind))
    known = nearest(word, _names(chart, kind))
    if known is not None:
        return _set(f"Use '{known}'", found.path, known)
    if kind in _LISTS:
        return Fix(f"Add the {kind} '{word}'", (Edit("add", (_LISTS[kind],), {"key": word}),))
    if kind == "slot":
        slot = {"key": word, "type": "string"}
        return Fix(f"Add the slot '{word}'", (Edit("add", ("slots",), slot),))
    return None


def _misspelt(chart: Chart, found: Found, source: str, names: Collection[str]) -> Fix | None:
    """Puts the near name in the place of the last word of the faulty range."""
    start, end = found.span or (0, 0)
    words = list(_WORD.finditer(source, start, end))
    if not words:
        return None
    known = nearest(words[-1].group(), names)
    if known is None:
        return None
    text = source[: words[-1].start()] + known + source[words[-1].end() :]
    return _set(f"Use '{known}'", found.path, text)


_MEANT = re.compile(r"[Dd]id you mean '([^']+)'")


def _enum(chart: Chart, found: Found) -> Fix | None:
    source, meant = at(chart, found.path), _MEANT.search(found.hint)
    if not isinstance(source, str) or found.span is None or meant is None:
        return None
    start, end = found.span
    quoted = re.search(r"'[^']*'|\"[^\"]*\"", source[start:end])
    if quoted is None:
        return None
    text = source[: start + quoted.start()] + f"'{meant[1]}'" + source[start + quoted.end() :]
    return _set(f"Use '{meant[1]}'", found.path, text)


# --- how it is put together --------------------


def _initial(chart: Chart, found: Found) -> Fix | None:
    region = at(chart, found.path[:-1])
    own = [state.key for state in region.states if state.kind != "history"]
    if not own:
        return None
    key = nearest(region.initial, own) if region.initial else None
    return _set(f"Begin in '{key or own[0]}'", found.path, key or own[0])


def _speaker(chart: Chart, found: Found) -> Fix | None:
    region = at(chart, found.path[:-1])
    role = "observer" if region.role == "speaker" else "speaker"
    return _set(f"Make '{region.key}' the {role}", found.path, role)


def _clear(label: str) -> Maker:
    """Takes away what is at the path."""
    return lambda chart, found: _set(label, found.path)


def _remove(label: str) -> Maker:
    """Removes the item at the path."""
    return lambda chart, found: Fix(label, (Edit("remove", found.path),))


def _unreachable(chart: Chart, found: Found) -> Fix | None:
    state = at(chart, found.path)
    inside = " and what is in it" if state.regions else ""
    return Fix(f"Remove '{state.key}'{inside}", (Edit("remove", found.path),))


def _unread(chart: Chart, found: Found) -> Fix | None:
    slot = at(chart, found.path)
    if f"the slot '{slot.key}' is never read" != found.message:
        return None  # effects write it: taking it away would break them
    return Fix(f"Remove the slot '{slot.key}'", (Edit("remove", found.path),))


def _final(chart: Chart, found: Found) -> Fix | None:
    state = at(chart, found.path)
    if state.transitions or state.regions:
        return None
    return _set(f"Make '{state.key}' final", (*found.path, "kind"), "final")


def _waiting_ends(chart: Chart, place: StatePlace) -> str | None:
    """Where a state goes that nobody answered: a final state of its region, or of one around."""
    region: RegionPlace | None = place.region
    while region is not None:
        for state in chart.index.inside[region]:
            if state.doc.kind == "final":
                return state.key
        region = region.parent.region if region.parent is not None else None
    return None


def _after(chart: Chart, found: Found) -> Fix | None:
    place = chart.state_at.get(found.path)
    if place is None:
        return None
    target = _waiting_ends(chart, place)
    move: dict[str, Any] = {"on": {"after": _WAIT}}
    where = f" to '{target}'" if target else ""
    if target:
        move["target"] = target
    return Fix(f"After {_WAIT}, go on{where}", (Edit("add", (*found.path, "transitions"), move),))


def _unhandled(chart: Chart, found: Found) -> Fix | None:
    event = found.hint.partition("'")[2].partition("'")[0]
    path = (*found.path[:-2], "transitions")
    return Fix(f"Add a transition on {event}", (Edit("add", path, {"on": {"event": event}}),))


def _shadowed(chart: Chart, found: Found) -> Fix | None:
    """Puts it before the one that always wins, where that one is then still taken at times."""
    place = chart.transition_at.get(found.path)
    winner = found.message.rpartition(": '")[2].partition("'")[0]
    if place is None or place.doc.guard is None:
        return Fix("Remove it", (Edit("remove", found.path),))
    for number, other in enumerate(chart.index.leaving[place.source]):
        if other.name == winner:
            return Fix(f"Put it before '{winner}'", (Edit("move", found.path, number),))
    return None


def _choice(chart: Chart, found: Found) -> Fix | None:
    return _set("Make it 'always'", found.path, {"always": True})


def _flags(chart: Chart, found: Found) -> Fix | None:
    return _set("Make it not external", found.path, value=False)


def _bound(chart: Chart, found: Found) -> Fix | None:
    return _set("Take it at most 5 times", (*found.path, "max_takes"), 5)


# --- slots and limits --------------------


def _choices(chart: Chart, found: Found) -> Fix | None:
    slot = at(chart, found.path[:-1])
    if slot.type == "enum":
        return None
    return _set("Make it an enum", (*found.path[:-1], "type"), "enum")


def _range(chart: Chart, found: Found) -> Fix | None:
    slot, path = at(chart, found.path[:-1]), found.path[:-1]
    swap = (
        Edit("set", (*path, "minimum"), slot.maximum),
        Edit("set", (*path, "maximum"), slot.minimum),
    )
    return Fix("Swap them", swap)


def _writers(chart: Chart, found: Found) -> Fix | None:
    key = at(chart, found.path)
    number = next((n for n, slot in enumerate(chart.slots) if slot.key == key), None)
    if number is None:
        return None
    writers = [*(chart.slots[number].writers or ()), "effect"]
    return _set(f"Let effects write '{key}'", ("slots", number, "writers"), writers)


def _limit(chart: Chart, found: Found) -> Fix | None:
    states = [place for place in chart.index.states if place.speaker]
    states.sort(key=lambda place: len(place.ancestors))
    good = [place.key for place in states if place.doc.kind in ("state", "final")]
    given = at(chart, found.path)
    finals = [place.key for place in states if place.doc.kind == "final"]
    key = (nearest(given, good) if given else None) or next(iter(finals or good), None)
    return _set(f"Lead to '{key}'", found.path, key) if key else None


def _duplicate(chart: Chart, found: Found) -> Fix | None:
    key = at(chart, found.path)
    taken = {
        at(chart, (*found.path[:-2], number, "key"))
        for number in range(len(at(chart, found.path[:-2]) or ()))
    } | set(chart.index.by_key)
    free = next(f"{key[:60]}_{n}" for n in range(2, 10_000) if f"{key[:60]}_{n}" not in taken)
    return _set(f"Call this one '{free}'", found.path, free)


def _argument(chart: Chart, found: Found) -> Fix | None:
    if found.path[-2:-1] != ("args",):
        return None
    args = dict(at(chart, found.path[:-1]))
    value = args.pop(found.path[-1])
    tool = next(t for t in chart.tools if t.key == at(chart, (*found.path[:-2], "call")))
    known = [n for n in (tool.arguments or {}).get("properties", {}) if n not in args]
    name = nearest(str(found.path[-1]), known)
    label = f"Use '{name}'" if name else "Remove it"
    return _set(label, found.path[:-1], args | ({name: value} if name else {}))


FIXES: dict[str, Maker] = {
    **{
        f"{kind}.unknown": _unknown
        for kind in ("target", "prompt", "tool", "outcome", "slot", "agent", "question_set")
    },
    **{f"{kind}.unknown": _unknown for kind in ("state", "question")},
    **{f"{kind}.enum": _enum for kind in ("guard", "effect", "prompt")},
    "initial.missing": _initial,
    "initial.unknown": _initial,
    "region.speaker": _speaker,
    "region.role": _clear("Remove the role"),
    "region.reset": _flags,
    "observer.speaks": _clear("Remove it"),
    "final.leaves": _remove("Remove the transition"),
    "choice.trigger": _choice,
    "state.unreachable": _unreachable,
    "state.dead_end": _final,
    "transition.shadowed": _shadowed,
    "transition.flags": _flags,
    "cycle.unbounded": _bound,
    "after.missing": _after,
    "question.unhandled": _unhandled,
    "key.duplicate": _duplicate,
    "slot.unread": _unread,
    "slot.choices": _choices,
    "slot.range": _range,
    "slot.default": _clear("Remove the default"),
    "slot.read_only": _writers,
    "limit.target": _limit,
    "tool.argument": _argument,
}
