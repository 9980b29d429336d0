"""Charts written as SCXML: exact for our reader, right for others, and what is lost is said."""

import json
import random
import re

import pytest

from interpreter import (
    compile_agent,
    dry_run,
    dump_document,
    library,
    parse_agent,
    parse_document,
    read_scxml,
    start_step,
    step,
    write_scxml,
)
from interpreter.cli.main import main
from interpreter.conformance import Host
from interpreter.interchange import diagram_mermaid
from tests.interpreter.charts import T0
from tests.interpreter.random_charts import COUNT, EVENTS, Drawer

OURS = re.compile(r""" cc:\w+=("[^"]*"|'[^']*')""")


def agent(regions, slots=(), **more):
    machine = {"format": "callchart.machine/1", "regions": regions}
    return parse_agent({"key": "x", "slots": list(slots), "machine": machine, **more})


def simple(*transitions, **state):
    first = {"key": "a", "transitions": list(transitions), **state}
    region = {"key": "main", "role": "speaker", "initial": "a", "states": [first, {"key": "b"}]}
    return agent([region], [{"key": "n", "type": "number"}])


def said(written):
    return [str(loss) for loss in written.losses]


@pytest.mark.parametrize("name", library.names())
def test_a_chart_of_the_library_comes_back_exactly(name):
    whole = parse_agent(library.load(name)["document"])
    assert read_scxml(write_scxml(whole).text).whole == whole


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_any_chart_comes_back_exactly(first):
    for seed in range(first, first + 50):
        whole = parse_agent({"key": "x", "slots": COUNT, "machine": Drawer(seed).draw()})
        again = read_scxml(write_scxml(whole).text.encode())
        assert dump_document(again.whole) == dump_document(whole)
        assert again.losses == ()


def test_texts_that_xml_cannot_hold_come_back_too():
    wild = "a < b & \"c\" 'd' ]]> \n\t\x01\x7f\x85\ufffe\uffff ñ 語 𝄞 <!-- -->"
    whole = simple(label=wild, notes=wild, instructions=wild, keywords=[wild])
    assert read_scxml(write_scxml(whole).text).whole == whole


def comparable(written):
    """Whether all that the chart does can be done by others, as the report says."""
    return not any(
        "'done'" in line or "internal" in line or "done.region" in line for line in said(written)
    )


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_another_reader_runs_the_written_chart_as_we_run_ours(first):
    compared = 0
    for seed in range(first, first + 20):
        whole = parse_agent({"key": "x", "slots": COUNT, "machine": Drawer(seed).draw()})
        written = write_scxml(whole)
        if not comparable(written):
            continue
        machine = compile_agent(whole)
        other = Host(read_scxml(OURS.sub("", written.text)))
        taken, chance = start_step(machine, T0), random.Random(seed)
        for _ in range(8):
            if any(record.type == "machine.limit_reached" for record in taken.records):
                break
            at = machine.configuration(taken.snapshot.active)
            assert other.leaves == sorted(leaf.key for leaf in at.leaves), seed
            assert other.snapshot.slots == taken.snapshot.slots, seed
            compared += 1
            event = chance.choice(EVENTS)
            taken = step(machine, taken.snapshot, {"event": event})
            other.send(event)
    assert compared > 40


def test_h06_thirty_days_are_written_in_full_and_come_back_the_same():
    whole = simple({"on": {"after": "30d"}, "target": "b"})
    written = write_scxml(whole)
    assert 'delay="2592000000ms"' in written.text
    assert read_scxml(written.text).whole == whole
    other = Host(read_scxml(OURS.sub("", written.text)))
    other.advance(2_591_999_999)
    assert other.leaves == ["a"]
    other.advance(1)
    assert other.leaves == ["b"]


def test_a_timer_of_a_state_that_is_left_does_not_fire_for_others_either():
    whole = simple(
        {"on": {"after": "1s"}, "target": "b"}, {"on": {"event": "again.*"}, "target": "a"}
    )
    other = Host(read_scxml(OURS.sub("", write_scxml(whole).text)))
    other.advance(900)
    other.send("again")
    other.advance(900)
    assert other.leaves == ["a"]
    other.advance(100)
    assert other.leaves == ["b"]


def test_h10_a_name_that_matches_more_elsewhere_is_said_and_not_silently_widened():
    exact = write_scxml(simple({"on": {"event": "foo"}, "target": "b"}))
    assert any("that 'foo' does not match 'foo.x'" in line for line in said(exact))
    assert said(write_scxml(simple({"on": {"event": "foo.*"}, "target": "b"}))) == []


def test_h13_the_transition_of_a_parallel_keeps_its_place():
    source = """<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><parallel id="ps">
      <transition event="stop" target="o"/><transition event="done.state.ps" target="done"/>
      <transition event="*" target="o"/>
      <state id="r1"><state id="s1"/><final id="f1"/></state>
      <state id="r2"><state id="s2"/><final id="f2"/></state></parallel>
      <state id="done"/><state id="o"/></scxml>"""
    document = read_scxml(source).agent()
    moves = document["machine"]["regions"][0]["states"][0]["transitions"]
    assert [(move["on"], move["target"]) for move in moves] == [
        ({"event": "stop.*"}, "o"),
        ({"done": True}, "done"),
        ({"event": "*"}, "o"),
    ]
    written = write_scxml(parse_agent(document))
    assert read_scxml(written.text).agent() == document
    foreign = read_scxml(OURS.sub("", written.text)).agent()
    assert foreign["machine"]["regions"][0]["states"][0]["transitions"] == moves


@pytest.mark.parametrize(
    ("guard", "cond"),
    [
        ("slots.n > 1", "(n != null && n > 1)"),
        ("!(slots.n > 1)", "(n != null && !(n > 1))"),
        ("slots.n == null", "(n == null)"),
        ("active('b') || event.data.x == 'y'", '(In("b") || (_event.data.x != null && _event.data.x == "y"))'),  # noqa: E501
        ("slots.n in [1, 2]", "(n != null && (n == 1 || n == 2))"),
        ("!(slots.n in [1, 2])", "(n != null && (n != 1 && n != 2))"),
        ("has(slots.n)", "(n != null)"),
    ],
)  # fmt: skip
def test_a_guard_is_written_for_others_with_our_nulls(guard, cond):
    whole = simple({"on": {"event": "e.*"}, "guard": guard, "target": "b"})
    written = write_scxml(whole)
    text = written.text.replace("&amp;", "&").replace("&gt;", ">").replace("&quot;", '"')
    assert cond in text
    assert said(written) == []
    assert read_scxml(written.text).whole == whole


def test_a_guard_that_others_cannot_say_is_false_for_them_and_reported():
    written = write_scxml(simple({"on": {"event": "e.*"}, "guard": "visits.a < 3", "target": "b"}))
    assert 'cond="false"' in written.text
    assert said(written) == [
        "'a', transition 1: note: its guard (SCXML has no 'visits.a'), which is false for others;"
        " only our reader sees it"
    ]


def test_what_scxml_has_no_place_for_is_in_the_report():
    lines = said(
        write_scxml(
            simple(
                {"on": {"propose": "Go"}, "target": "b", "min_confidence": 0.5},
                instructions="Speak",
                entry=[{"hook": "log_it"}, {"set": "n", "value": "1"}],
            )
        )
    )
    assert [line.split(": note: ")[1].split(";")[0] for line in lines] == [
        "instructions",
        "a hook",
        "that a model proposes it",
        "min_confidence",
    ]


# --- mermaid --------------------

LABELS = [
    "timeout (ex: 30 s)",
    "DELETE /users/:id",
    "a::b",
    "queued;{retry}",
    '50 % <= x && "ok"',
]
CODES = {"#58;": ":", "#59;": ";", "#35;": "#", "#lt;": "<", "#gt;": ">", "#quot;": '"'}


def shown(text):
    """What Mermaid draws for an escaped text."""
    return re.sub(r"#\w+;", lambda match: CODES[match.group()], text)


@pytest.mark.parametrize("label", LABELS)
def test_h12_a_label_is_drawn_letter_by_letter(label):
    region = {
        "key": "main",
        "initial": "a",
        "states": [
            {
                "key": "a",
                "label": label,
                "notes": "Badge: yellow (NEW)",
                "transitions": [{"on": {"propose": "x"}, "label": label, "target": "b"}],
            },
            {"key": "b"},
        ],
    }
    lines = diagram_mermaid(parse_document({"regions": [region]})).splitlines()
    state = next(line for line in lines if line.endswith(" as a"))
    move = next(line for line in lines if line.strip().startswith("a --> b"))
    quoted = state.strip().removeprefix('state "').removesuffix('" as a')
    after = move.partition(" : ")[2]
    assert (shown(quoted), shown(after)) == (label, label)
    for text in (quoted, after):
        assert not set(re.sub(r"#\w+;", "", text)) & set(':;"<>#')
    assert not any(line.strip().startswith("note") for line in lines)


# --- the command --------------------


def test_convert_goes_there_and_back(tmp_path, capsys):
    source = tmp_path / "chart.json"
    document = library.load("course_answers")["document"]
    source.write_text(json.dumps(document))
    assert main(["convert", str(source), "--to", "scxml"]) == 0
    out, err = capsys.readouterr()
    assert "note: " in err
    (tmp_path / "chart.scxml").write_text(out)
    assert main(["convert", str(tmp_path / "chart.scxml"), "--to", "json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert parse_agent(again) == parse_agent(document)


def test_what_convert_read_can_be_run(tmp_path, capsys):
    source = tmp_path / "other.scxml"
    source.write_text(
        '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="Idle">'
        '<transition event="go" target="Busy"/></state><state id="Busy"/></scxml>'
    )
    assert main(["convert", str(source), "--to", "json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    report = dry_run(
        compile_agent(json.loads(out)), [{"event": "go"}, {"expect": {"active": "busy"}}]
    )
    assert report.ok


def test_convert_refuses_what_it_cannot_read(tmp_path, capsys):
    source = tmp_path / "bad.scxml"
    source.write_text("<html/>")
    assert main(["convert", str(source), "--to", "mermaid"]) == 2
    assert "the root is <html>" in capsys.readouterr().err
    source.write_text('{"regions": 5}')
    assert main(["convert", str(source), "--to", "scxml"]) == 2
    assert "/regions" in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "none"), "--to", "scxml"]) == 2
    assert "No such file" in capsys.readouterr().err
