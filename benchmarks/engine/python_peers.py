"""Peers from PyPI, each built the way its own manual builds a chart.

Runs in an environment of its own (`build/bench/venv`), where our engine is not needed.
"""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Callable
from typing import Any

from benchmarks.engine.charts import ADD_ONE, Move, State, Workload
from benchmarks.engine.measure import Engine, main

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)


# Guards and writes are the plain functions that a person would write for workload (b).


def _attribute_guard(move: Move) -> Callable[[Any], bool]:
    side = move.when[1] if move.when else None
    return lambda model: model.side == side


def _attribute_write(move: Move) -> Callable[[Any], None]:
    side = dict(move.then)["side"]

    def write(model: Any) -> None:
        model.side = side
        model.turns += 1

    return write


def _assigned(datum: str, value: str) -> str:
    return f"{datum} + 1" if value == ADD_ONE else repr(value)


# --- python-statemachine ----------------------------------------------------------------------


class _Model:
    """The data of a run, and what counts entries and exits."""

    def __init__(self, data: dict[str, Any]) -> None:
        vars(self).update(data)


def _count_entry(model: Any) -> None:
    model.enters += 1


def _count_exit(model: Any) -> None:
    model.exits += 1


def _statemachine_state(state: State, *, initial: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"initial": True} if initial else {}
    if state.kind == "parallel":
        made["parallel"] = True
    if state.counted:
        made |= {"enter": _count_entry, "exit": _count_exit}
    if state.children:
        made["states"] = _statemachine_states(state)
    on = {
        event: [
            {"target": move.target}
            | ({"cond": _attribute_guard(move)} if move.when else {})
            | ({"on": _attribute_write(move)} if move.then else {})
            for move in moves
        ]
        for event, moves in state.moves.items()
    }
    return made | ({"on": on} if on else {})


def _statemachine_states(parent: State) -> dict[str, Any]:
    return {
        child.key: _statemachine_state(child, initial=parent.kind != "parallel" and not place)
        for place, child in enumerate(parent.children)
    }


def python_statemachine() -> Engine:
    """A StateChart class made by the library's factory; guards and actions are Python."""
    from statemachine.io import create_machine_class_from_definition

    def compile_chart(load: Workload) -> Any:
        states = _statemachine_states(load.root)
        return create_machine_class_from_definition("Chart", states=states), load.data

    return Engine(
        compile_chart,
        lambda made: made[0](model=_Model(made[1])),
        lambda run: run.send,
        lambda run: [state.id for state in run.configuration if state.is_atomic],
        lambda run: vars(run.model),
    )


def _json_state(state: State, *, initial: bool) -> dict[str, Any]:
    def assign(datum: str, value: str) -> dict[str, Any]:
        return {"assign": {"location": datum, "expr": _assigned(datum, value)}}

    made: dict[str, Any] = {"initial": True} if initial else {}
    if state.kind == "parallel":
        made["parallel"] = True
    if state.counted:
        made |= {"enter": [assign("enters", ADD_ONE)], "exit": [assign("exits", ADD_ONE)]}
    if state.children:
        made["states"] = _json_states(state)
    rows = [
        {"event": event, "target": move.target}
        | ({"cond": f"{move.when[0]} == {move.when[1]!r}"} if move.when else {})
        | ({"on": [assign(*pair) for pair in move.then]} if move.then else {})
        for event, moves in state.moves.items()
        for move in moves
    ]
    return made | ({"transitions": rows} if rows else {})


def _json_states(parent: State) -> dict[str, Any]:
    return {
        child.key: _json_state(child, initial=parent.kind != "parallel" and not place)
        for place, child in enumerate(parent.children)
    }


def python_statemachine_json() -> Engine:
    """The same library reading the chart as a JSON document, expressions and all."""
    from statemachine.io import load as load_document

    def compile_chart(load: Workload) -> Any:
        made: dict[str, Any] = {"states": _json_states(load.root)}
        if load.data:
            made["datamodel"] = [{"id": k, "expr": repr(v)} for k, v in load.data.items()]
        return load_document(json.dumps(made), format="json")

    return Engine(
        compile_chart,
        lambda made: made(),
        lambda run: run.send,
        lambda run: [state.id for state in run.configuration if state.is_atomic],
        lambda run: vars(run.model),
    )


# --- transitions ------------------------------------------------------------------------------


def transitions() -> Engine:
    """`Machine` for flat charts, `HierarchicalMachine` for the rest; the model has the methods."""
    from transitions import Machine
    from transitions.extensions import HierarchicalMachine

    # Its default, "_", stands in keys of ours.
    separator = HierarchicalMachine.state_cls.separator = "/"

    def state(one: State) -> dict[str, Any]:
        made: dict[str, Any] = {"name": one.key}
        if one.counted:
            made |= {"on_enter": "count_entry", "on_exit": "count_exit"}
        if one.kind == "parallel":
            made["parallel"] = [state(child) for child in one.children]
        elif one.children:
            made["children"] = [state(child) for child in one.children]
            made["initial"] = one.children[0].key
        return made

    def compile_chart(load: Workload) -> Any:
        members: dict[str, Any] = {"count_entry": _count_entry, "count_exit": _count_exit}
        paths: dict[str, str] = {}
        rows: list[dict[str, Any]] = []
        _place(load.root, "", paths, separator)
        for one in load.root.walk():
            for event, moves in one.moves.items():
                for move in moves:
                    row = {"trigger": event, "source": paths[one.key]}
                    row["dest"] = paths[move.target]
                    number = len(rows)
                    if move.when:
                        members[f"guard_{number}"] = _attribute_guard(move)
                        row["conditions"] = f"guard_{number}"
                    if move.then:
                        members[f"write_{number}"] = _attribute_write(move)
                        row["after"] = f"write_{number}"
                    rows.append(row)
        flat = all(child.kind == "simple" for child in load.root.children)
        kind = Machine if flat else HierarchicalMachine
        machine = kind(
            model=None,
            states=[state(child) for child in load.root.children],
            transitions=rows,
            initial=load.root.children[0].key,
            auto_transitions=False,
            ignore_invalid_triggers=True,
        )
        return machine, type("Model", (_Model,), members), load

    def begin(made: Any) -> Any:
        machine, model, load = made
        run = model(load.data)
        machine.add_model(run)
        # It runs no on_enter for where a run begins; the other engines do.
        one = load.root
        while one.children and "enters" in load.data:
            one = one.children[0]
            run.enters += one.counted
        return run

    def leaves(run: Any) -> list[str]:
        found = run.state if isinstance(run.state, list) else [run.state]
        return [path.split(separator)[-1] for path in found]

    return Engine(compile_chart, begin, lambda run: run.trigger, leaves, vars)


def _place(parent: State, above: str, paths: dict[str, str], separator: str) -> None:
    for child in parent.children:
        paths[child.key] = above + child.key
        _place(child, above + child.key + separator, paths, separator)


# --- sismic -----------------------------------------------------------------------------------


def _sismic(*, contracts: bool) -> Engine:
    from sismic.interpreter import Interpreter
    from sismic.io.datadict import import_from_dict

    def code(*pairs: tuple[str, str]) -> str:
        return "\n".join(f"{datum} = {_assigned(datum, value)}" for datum, value in pairs)

    def state(one: State) -> dict[str, Any]:
        made: dict[str, Any] = {"name": one.key}
        if one.kind == "parallel":
            made["parallel states"] = [state(child) for child in one.children]
        elif one.children:
            made["initial"] = one.children[0].key
            made["states"] = [state(child) for child in one.children]
        if one.counted:
            made["on entry"] = code(("enters", ADD_ONE))
            made["on exit"] = code(("exits", ADD_ONE))
        rows = [
            {"event": event, "target": move.target}
            | ({"guard": f"{move.when[0]} == {move.when[1]!r}"} if move.when else {})
            | ({"action": code(*move.then)} if move.then else {})
            for event, moves in one.moves.items()
            for move in moves
        ]
        return made | ({"transitions": rows} if rows else {})

    def compile_chart(load: Workload) -> Any:
        chart = {"name": "chart", "root state": state(load.root)}
        if load.data:
            chart["preamble"] = "\n".join(f"{key} = {value!r}" for key, value in load.data.items())
        return import_from_dict({"statechart": chart})

    def begin(chart: Any) -> Any:
        run = Interpreter(chart, ignore_contract=not contracts)
        run.execute()
        return run

    def sender(run: Any) -> Callable[[str], object]:
        queue, execute = run.queue, run.execute

        def send(name: str) -> None:
            queue(name)
            execute()

        return send

    return Engine(
        compile_chart,
        begin,
        sender,
        lambda run: run.statechart.leaf_for(run.configuration),
        lambda run: run.context,
    )


# --- xstate-statemachine ----------------------------------------------------------------------


def xstate_statemachine() -> Engine:
    """XState's JSON in Python: `create_machine` and the synchronous interpreter."""
    from xstate_statemachine import MachineLogic, SyncInterpreter, create_machine

    def count_entry(_run: Any, context: dict[str, Any], _event: Any, _action: Any) -> None:
        context["enters"] += 1

    def count_exit(_run: Any, context: dict[str, Any], _event: Any, _action: Any) -> None:
        context["exits"] += 1

    def guard(move: Move) -> Callable[[dict[str, Any], Any], bool]:
        side = move.when[1] if move.when else None
        return lambda context, _event: context["side"] == side

    def write(move: Move) -> Callable[..., None]:
        side = dict(move.then)["side"]

        def written(_run: Any, context: dict[str, Any], _event: Any, _action: Any) -> None:
            context["side"] = side
            context["turns"] += 1

        return written

    def compile_chart(load: Workload) -> Any:
        guards: dict[str, Any] = {}
        actions: dict[str, Any] = {"countEntry": count_entry, "countExit": count_exit}

        def row(move: Move) -> dict[str, Any]:
            made: dict[str, Any] = {"target": move.target}
            if move.when:
                made["guard"] = f"guard{len(guards)}"
                guards[made["guard"]] = guard(move)
            if move.then:
                made["actions"] = f"write{len(actions)}"
                actions[made["actions"]] = write(move)
            return made

        def state(one: State) -> dict[str, Any]:
            made: dict[str, Any] = {}
            if one.kind == "parallel":
                made["type"] = "parallel"
            elif one.children:
                made["initial"] = one.children[0].key
            if one.children:
                made["states"] = {child.key: state(child) for child in one.children}
            if one.counted:
                made |= {"entry": "countEntry", "exit": "countExit"}
            on = {event: [row(move) for move in moves] for event, moves in one.moves.items()}
            return made | ({"on": on} if on else {})

        chart = {"id": "chart", "context": dict(load.data), **state(load.root)}
        return create_machine(chart, logic=MachineLogic(actions=actions, guards=guards))

    return Engine(
        compile_chart,
        lambda machine: SyncInterpreter(machine).start(),
        lambda run: run.send,
        lambda run: [path.split(".")[-1] for path in run.current_state_ids],
        lambda run: run.context,
    )


ENGINES: dict[str, Callable[[], Engine]] = {
    "psm": python_statemachine,
    "psm-json": python_statemachine_json,
    "transitions": transitions,
    "sismic": lambda: _sismic(contracts=True),
    "sismic-nocontract": lambda: _sismic(contracts=False),
    "xsm": xstate_statemachine,
}

if __name__ == "__main__":
    main(ENGINES)
