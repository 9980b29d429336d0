"""Small agent documents for tests of the runtime."""

from __future__ import annotations

from typing import Any


def desk(key: str = "desk", silence: str = "1s") -> dict[str, Any]:
    """A front desk: events, a guard, a proposal, a delayed move, a sensitive slot, an observer."""
    return {
        "format": "callchart.agent/1",
        "key": key,
        "name": "Desk",
        "instructions": "",
        "prompts": [{"key": "greet", "text": "Hello {{ slots.name }}"}],
        "tools": [{"key": "lookup", "description": "Looks something up"}],
        "outcomes": [{"key": "resolved", "label": "Resolved"}],
        "squad": [],
        "slots": [
            {"key": "name", "type": "string"},
            {"key": "card", "type": "string", "sensitive": True},
            {"key": "tries", "type": "integer", "default": 0},
        ],
        "machine": {
            "format": "callchart.machine/1",
            "regions": [
                {
                    "key": "conversation",
                    "role": "speaker",
                    "initial": "greeting",
                    "states": [
                        {
                            "key": "greeting",
                            "prompt": "greet",
                            "entry": [{"hook": "greeted"}],
                            "exit": [{"hook": "left_greeting"}],
                            "transitions": [
                                {
                                    "key": "to_help",
                                    "on": {"event": "help"},
                                    "guard": "slots.card == null || slots.card != '4111'",
                                    "target": "helping",
                                    "effects": [{"set": "tries", "value": "slots.tries + 1"}],
                                },
                                {
                                    "key": "silent",
                                    "on": {"after": silence},
                                    "target": "waiting",
                                },
                            ],
                        },
                        {
                            "key": "helping",
                            "prompt": "greet",
                            "transitions": [
                                {
                                    "key": "back",
                                    "on": {"event": "again"},
                                    "target": "greeting",
                                },
                                {
                                    "key": "more",
                                    "on": {"propose": "The caller wants more."},
                                    "target": "waiting",
                                },
                                {"key": "close", "on": {"event": "close"}, "target": "goodbye"},
                                {"key": "hold", "on": {"event": "hold"}, "target": "holding"},
                            ],
                        },
                        {
                            "key": "holding",
                            "prompt": "greet",
                            "transitions": [
                                {
                                    "key": "held",
                                    "on": {"after": "300ms"},
                                    "target": "waiting",
                                },
                            ],
                        },
                        {
                            "key": "waiting",
                            "prompt": "greet",
                            "transitions": [
                                {
                                    "key": "resume",
                                    "on": {"event": "help"},
                                    "target": "helping",
                                },
                                {"key": "leave", "on": {"event": "close"}, "target": "goodbye"},
                            ],
                        },
                        {"key": "goodbye", "kind": "final"},
                    ],
                },
                {
                    "key": "consent",
                    "role": "observer",
                    "initial": "unread",
                    "states": [
                        {
                            "key": "unread",
                            "transitions": [
                                {"key": "heard", "on": {"event": "consent"}, "target": "given"}
                            ],
                        },
                        {
                            "key": "given",
                            "transitions": [
                                {"key": "revoked", "on": {"event": "revoke"}, "target": "unread"}
                            ],
                        },
                    ],
                },
            ],
            "limits": {
                "turns": 5000,
                "transitions": 50000,
                "visits": 50000,
                "refusals": 50000,
                "target": "goodbye",
            },
        },
    }
