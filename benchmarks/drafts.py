"""A draft of 10, 300, 1000 and 2000 states in the real services on SQLite: edit, check, publish.

CPU milliseconds of the process (`time.process_time`), the median of a few; 2,000 states is the
most that a draft holds. An edit is one `state.update` through the service that the API calls, with
the check that it answers; a publish is check, freeze, pin, digest and insert. Writes
`build/bench/drafts.json`.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

SIZES = (10, 300, 1000, 2000)
OUT = Path("build/bench/drafts.json")


def chart(size: int) -> dict[str, Any]:
    """An agent document of `size` states in a ring, each with a prompt, a guard and a way out."""
    states = [
        {
            "key": f"s{place}",
            "prompt": f"p{place % 20}",
            "transitions": [
                {"on": {"event": "next"}, "target": f"s{(place + 1) % size}",
                 "guard": f"slots.n >= {place % 7}", "max_takes": 5},
                {"on": {"after": "30s"}, "target": "done"},
            ],
        }
        for place in range(size)
    ]  # fmt: skip
    return {
        "format": "callchart.agent/1",
        "key": f"ring_{size}",
        "name": f"Ring of {size}",
        "instructions": "",
        "prompts": [{"key": f"p{place}", "text": "Hello {{ slots.n }}"} for place in range(20)],
        "tools": [],
        "outcomes": [],
        "squad": [],
        "slots": [{"key": "n", "type": "integer", "default": 0}],
        "machine": {
            "format": "callchart.machine/1",
            "regions": [
                {
                    "key": "main",
                    "role": "speaker",
                    "initial": "s0",
                    "states": [*states, {"key": "done", "kind": "final"}],
                }
            ],
            "limits": {"transitions": 10_000, "target": "done"},
        },
    }


def timed(act: Any) -> tuple[float, Any]:
    """(CPU milliseconds, what it gave)."""
    begin = time.process_time()
    found = act()
    return (time.process_time() - begin) * 1000, found


def measure(actor: Any, size: int) -> dict[str, float]:
    """The figures of one size."""
    from designer.agents import selectors, services
    from designer.core.clock import now
    from designer.core.ids import new_id
    from designer.versions import services as versions

    document = chart(size - 1)
    load, agent = timed(
        lambda: services.create_agent(
            actor, now(), key=document["key"], name=document["name"], document=document
        )
    )
    read, draft = timed(lambda: selectors.draft_view(actor, agent))
    target = draft["states"][size // 2]["id"]

    def edit(text: str) -> float:
        operation = {"op": "state.update", "id": target, "fields": {"label": text}}
        spent, _ = timed(
            lambda: services.apply_operations(
                actor, now(), agent=agent, batch=new_id(), base=None, operations=[operation],
                expected=None,
            )
        )  # fmt: skip
        return spent

    edits = [edit(f"Name {turn}") for turn in range(7)]
    publish, _ = timed(lambda: versions.publish(actor, now(), agent=agent))
    again, _ = timed(lambda: versions.publish(actor, now(), agent=agent))
    return {
        "load": load,
        "read": read,
        "edit": statistics.median(edits),
        "publish": publish,
        "publish_unchanged": again,
    }


def main() -> None:
    """Measure all sizes on a database of its own and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "CALLCHART_DATA": folder,
            "DJANGO_SETTINGS_MODULE": "tests.support.settings",
        }
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        from django.core.management import call_command

        from designer.accounts import selectors, services
        from designer.core.clock import now

        call_command("migrate", verbosity=0)
        workspace = services.ensure_workspace(now(), slug="bench", name="Bench")
        user, _ = services.ensure_member(
            workspace=workspace, email="b@bench.local", name="B", roles=["designer"], password=None
        )
        actor = selectors.actor_of_user(user, "bench")
        measure(actor, SIZES[0] + 1)  # imports and first use
        figures = {str(size): measure(actor, size) for size in SIZES}
    names = list(figures[str(SIZES[0])])
    print(f"{'states':>8}" + "".join(f"{name:>20}" for name in names))
    for size, row in figures.items():
        print(f"{size:>8}" + "".join(f"{row[name]:>17.1f} ms" for name in names))
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
