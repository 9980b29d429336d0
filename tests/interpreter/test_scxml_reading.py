"""SCXML read as a chart: each kind of element, what is reported, and what is refused."""

import random

import pytest

from interpreter import (
    DocumentError,
    InterchangeError,
    compile_agent,
    parse_agent,
    read_scxml,
    start_step,
    step,
)
from interpreter.conformance import Host
from tests.interpreter.charts import T0

HEAD = '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript"'


def scxml(body, more=""):
    return f"{HEAD} {more}>{body}</scxml>"


def host(body, more=""):
    imported = read_scxml(scxml(body, more))
    assert [str(loss) for loss in imported.losses if loss.carried == "no"] == []
    return Host(imported)


def losses(body, more=""):
    return [str(loss) for loss in read_scxml(scxml(body, more)).losses]


def played(body, *events, more=""):
    run = host(body, more)
    for event in events:
        run.send(event)
    return run.leaves


# --- structure --------------------


def test_the_first_state_is_where_a_compound_state_begins():
    assert played('<state id="a"><state id="b"/><state id="c"/></state>') == ["b"]


def test_an_initial_may_lie_deep():
    body = '<state id="a" initial="d"><state id="b"/><state id="c"><state id="e"/><state id="d"/></state></state>'  # noqa: E501
    assert played(body) == ["d"]
    assert losses(body) == [
        "<state> 'a': not in the document: it begins at d; in the document at c"
    ]


def test_several_initials_enter_several_regions():
    body = """<parallel id="p">
      <state id="x"><state id="x1"/><state id="x2"/></state>
      <state id="y"><state id="y1"/><state id="y2"/></state></parallel>"""
    assert played(body, more='initial="x2 y2"') == ["x2", "y2"]


def test_several_targets_are_entered_together():
    body = """<state id="a"><transition event="go" target="x2 y2"/></state><parallel id="p">
      <state id="x"><state id="x1"/><state id="x2"/></state>
      <state id="y"><state id="y1"/><state id="y2"/></state></parallel>"""
    assert played(body, "go") == ["x2", "y2"]


def test_a_compound_child_of_a_parallel_is_a_region_of_the_document():
    imported = read_scxml(
        scxml("""<parallel id="p"><state id="x"><state id="x1"/></state>
      <state id="y"><onentry><raise event="in.y"/></onentry><state id="y1"/></state></parallel>""")
    )
    regions = imported.agent()["machine"]["regions"][0]["states"][0]["regions"]
    assert [(r["key"], r["initial"]) for r in regions] == [("x", "x1"), ("y", "y1")]
    assert regions[1]["entry"] == [{"raise": "in.y"}]
    assert imported.losses == ()


def test_a_child_that_leads_to_itself_leaves_the_whole_parallel():
    body = """<parallel id="p">
      <state id="x"><transition event="again" target="x"/><state id="x1"/><state id="x2"/></state>
      <state id="y"><state id="y1"><transition event="go" target="y2"/></state><state id="y2"/>
      </state></parallel>"""
    assert played(body, "go") == ["x1", "y2"]
    assert played(body, "go", "again") == ["x1", "y1"]


def test_a_child_asked_for_by_name_stays_a_state():
    body = """<parallel id="p"><state id="x"><state id="x1"/></state><state id="y"><state id="y1">
      <transition event="go" cond="In('x')" target="y2"/></state><state id="y2"/></state></parallel>"""  # noqa: E501
    assert played(body, "go") == ["x1", "y2"]


def test_a_parallel_in_a_parallel_is_done_with_its_regions():
    body = """<parallel id="p"><transition event="done.state.q" target="out"/>
      <parallel id="q"><state id="x"><state id="x1"><transition event="e" target="xf"/></state>
      <final id="xf"/></state><state id="y"><state id="y1"><transition event="e" target="yf"/>
      </state><final id="yf"/></state></parallel><state id="z"/></parallel><state id="out"/>"""
    assert played(body) == ["x1", "y1", "z"]
    assert played(body, "e") == ["out"]


@pytest.mark.parametrize(("kind", "expected"), [("deep", "b2"), ("shallow", "b1")])
def test_a_history_remembers_as_deep_as_it_says(kind, expected):
    body = f"""<state id="s"><history id="h" type="{kind}"><transition target="a"/></history>
      <state id="a"><transition event="in" target="b"/></state>
      <state id="b"><state id="b1"><transition event="on" target="b2"/></state><state id="b2"/>
      </state><transition event="out" target="o"/></state>
      <state id="o"><transition event="back" target="h"/></state>"""
    assert played(body, "in", "on", "out", "back") == [expected]


def test_the_default_of_a_history_that_remembers_nothing_runs_its_effects():
    body = """<state id="o"><transition event="back" target="h"/></state><state id="s">
      <history id="h"><transition target="b"><raise event="seen"/></transition></history>
      <state id="a"/><state id="b"><transition event="seen" target="c"/></state><state id="c"/>
      </state>"""
    assert played(body, "back") == ["c"]


@pytest.mark.parametrize(("kind", "expected"), [("deep", ["x2", "y1"]), ("shallow", ["x1", "y0"])])
def test_a_history_of_a_parallel_remembers_all_regions(kind, expected):
    body = f"""<parallel id="p"><history id="h" type="{kind}"><transition target="y2"/></history>
      <state id="x"><state id="x1"><transition event="go" target="x2"/></state><state id="x2"/>
      </state><state id="y"><state id="y0"><transition event="go" target="y1"/></state>
      <state id="y1"/><state id="y2"/></state><transition event="out" target="o"/></parallel>
      <state id="o"><transition event="back" target="h"/></state>"""
    assert played(body, "go", "out", "back") == expected
    assert played(body, "back", more='initial="o"') == ["x1", "y2"]


def test_the_effects_of_an_initial_come_between_the_parent_and_the_child():
    body = """<datamodel><data id="log" expr="''"/></datamodel><state id="s">
      <onentry><assign location="log" expr="log + 'p'"/></onentry>
      <initial><transition target="c"><assign location="log" expr="log + 'i'"/></transition>
      </initial>
      <state id="c"><onentry><assign location="log" expr="log + 'c'"/></onentry></state></state>"""
    assert host(body).snapshot.slots == {"log": "pic"}


def test_internal_transitions_stay_in_their_state():
    body = """<datamodel><data id="n" expr="0"/></datamodel><state id="s">
      <onexit><assign location="n" expr="n + 1"/></onexit>
      <transition event="in" type="internal" target="b"/><transition event="ex" target="b"/>
      <state id="a"/><state id="b"/></state>"""
    run = host(body)
    run.send("in")
    assert (run.leaves, run.snapshot.slots["n"]) == (["b"], 0)
    run.send("ex")
    assert (run.leaves, run.snapshot.slots["n"]) == (["b"], 1)


def test_a_top_final_ends_the_run():
    run = host('<state id="a"><transition event="end" target="f"/></state><final id="f"/>')
    run.send("end")
    assert run.snapshot.ended


# --- events --------------------


@pytest.mark.parametrize(
    ("descriptor", "event", "taken"),
    [
        ("foo", "foobar", False),
        ("foo", "foo.bar", True),
        ("foo", "foo", True),
        ("foo.*", "foo", True),
        ("foo.*", "foobar", False),
        ("x foo", "foo", True),
        ("*", "anything", True),
    ],
)
def test_h10_descriptors_match_whole_tokens(descriptor, event, taken):
    body = f'<state id="a"><transition event="{descriptor}" target="b"/></state><state id="b"/>'
    assert played(body, event) == (["b"] if taken else ["a"])


H13 = """<state id="Start"><transition event="_FORK" target="PS"/></state>
  <parallel id="PS"><transition {event} target="Done"/>
    <state id="R1"><state id="S1"><transition event="_DONE1" target="F1"/></state>
      <final id="F1"/></state>
    <state id="R2"><state id="S2"><transition event="_DONE2" target="F2"/></state>
      <final id="F2"/></state>
  </parallel><state id="Done"/>"""


def test_h13_a_transition_of_a_parallel_is_read_and_waits_for_all_regions():
    body = H13.format(event='event="done.state.PS"')
    assert played(body, "_FORK", "_DONE1") == ["F1", "S2"]
    assert played(body, "_FORK", "_DONE1", "_DONE2") == ["Done"]
    assert played(H13.format(event=""), "_FORK") == ["Done"]


def test_h13_the_document_alone_does_the_same():
    machine = compile_agent(read_scxml(scxml(H13.format(event='event="done.state.PS"'))).agent())
    snapshot = start_step(machine, T0).snapshot
    for event in ("_FORK", "_DONE1"):
        snapshot = step(machine, snapshot, {"event": event}).snapshot
    assert machine.value(snapshot) == {"main": {"ps": {"r1": "f1", "r2": "s2"}}}
    snapshot = step(machine, snapshot, {"event": "_DONE2"}).snapshot
    assert machine.value(snapshot) == {"main": "done"}


def test_a_region_of_a_parallel_says_that_it_is_done():
    body = """<parallel id="p"><transition event="done.state.x" target="o"/><state id="x">
      <state id="x1"><transition event="e" target="xf"/></state><final id="xf"/></state>
      <state id="y"><state id="y1"/></state></parallel><state id="o"/>"""
    assert played(body, "e") == ["o"]


def test_the_data_of_a_final_state_comes_with_the_event():
    body = """<datamodel><data id="n"/></datamodel><state id="s"><state id="a">
      <transition event="e" target="f"/></state><final id="f"><donedata>
      <param name="n" expr="7"/></donedata></final>
      <transition event="done.state.s" cond="_event.data.n == 7" target="o"/></state>
      <state id="o"/>"""
    assert played(body, "e") == ["o"]


# --- executable content --------------------


@pytest.mark.parametrize(("n", "expected"), [(1, "one"), (2, "two"), (3, "more")])
def test_an_if_runs_its_first_true_branch(n, expected):
    body = f"""<datamodel><data id="n" expr="{n}"/></datamodel><state id="a"><onentry>
      <if cond="n == 1"><raise event="one"/><elseif cond="n == 2"/><raise event="two"/>
      <else/><raise event="more"/></if></onentry><transition event="one" target="one"/>
      <transition event="two" target="two"/><transition event="more" target="more"/></state>
      <state id="one"/><state id="two"/><state id="more"/>"""
    assert played(body) == [expected]


@pytest.mark.parametrize(
    "wrong",
    [
        '<assign location="nowhere" expr="1"/>',
        '<assign location="_event" expr="1"/>',
        '<assign location="n" expr="missing + 1"/>',
        '<send event="x" target="nobody"/>',
        '<send event="x" type="carrier.pigeon"/>',
    ],
)
def test_an_error_ends_its_own_block_and_is_an_event(wrong):
    body = f"""<datamodel><data id="n" expr="0"/></datamodel><state id="a">
      <onentry>{wrong}<assign location="n" expr="1"/></onentry>
      <onentry><raise event="second"/></onentry>
      <transition event="error.execution" target="b"/></state>
      <state id="b"><transition event="second" target="c"/></state><state id="c"/>"""
    run = host(body)
    assert run.leaves == ["c"]
    assert run.snapshot.slots["n"] == 0


def test_a_guard_that_cannot_be_evaluated_is_false_and_an_error():
    body = """<state id="a"><transition event="e" cond="missing == 1" target="b"/>
      <transition event="error" target="c"/></state><state id="b"/><state id="c"/>"""
    assert played(body, "e") == ["c"]


def test_delayed_events_come_in_the_order_of_their_time_and_can_be_cancelled():
    body = """<state id="a"><onentry><send event="late" delay="2s"/>
      <send event="soon" delayexpr="'10ms'"/><send id="not" event="never" delay="1s"/></onentry>
      <transition event="soon" target="b"><cancel sendid="not"/></transition></state>
      <state id="b"><transition event="never" target="bad"/><transition event="late" target="c"/>
      </state><state id="c"/><state id="bad"/>"""
    run = host(body)
    assert run.leaves == ["a"]
    run.advance(1_999)
    assert run.leaves == ["b"]
    run.advance(1)
    assert run.leaves == ["c"]


def test_what_is_sent_inside_comes_before_what_is_sent_outside():
    body = """<state id="a"><onentry><send event="out"/><send event="in" target="#_internal"/>
      </onentry><transition event="in" target="b"/><transition event="out" target="c"/></state>
      <state id="b"><transition event="out" target="d"/></state><state id="c"/><state id="d"/>"""
    assert played(body) == ["d"]


def test_data_travels_with_an_event():
    body = """<datamodel><data id="x" expr="3"/><data id="got"/></datamodel><state id="a"><onentry>
      <send event="e" namelist="x"><param name="y" expr="x * 2"/></send></onentry>
      <transition event="e" cond="_event.data.x == 3" target="b">
      <assign location="got" expr="_event.data.y"/></transition></state><state id="b"/>"""
    run = host(body)
    assert (run.leaves, run.snapshot.slots["got"]) == (["b"], 6)


def test_late_binding_gives_the_value_on_the_first_entry_only():
    body = """<state id="a"><transition cond="typeof v === 'undefined'" target="b"/></state>
      <state id="b"><datamodel><data id="v" expr="1"/></datamodel>
      <transition event="up"><assign location="v" expr="v + 1"/></transition>
      <transition event="again" target="b"/></state>"""
    run = host(body, 'binding="late"')
    run.send("up")
    run.send("again")
    assert (run.leaves, run.snapshot.slots["v"]) == (["b"], 2)


def test_slots_have_the_type_that_their_values_have():
    imported = read_scxml(
        scxml("""<datamodel><data id="n" expr="1"/><data id="s" expr="'a'"/>
      <data id="b" expr="true"/><data id="x"/></datamodel><state id="a">
      <onentry><assign location="n" expr="n + 1"/></onentry></state>""")
    )
    slots = {slot["key"]: slot for slot in imported.agent()["slots"]}
    assert [slots[k]["type"] for k in ("n", "s", "b")] == ["number", "string", "boolean"]
    assert [slots[k].get("default") for k in ("n", "s", "b")] == [1, "a", True]
    assert [str(loss) for loss in imported.losses] == [
        "data 'x': not in the document: it has no one type"
    ]


# --- the report --------------------


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("<script>x = 1</script>", "<state> 'a', onentry: lost: <script> has no effect of ours"),
        ('<foreach array="a" item="b"/>', "<state> 'a', onentry: lost: <foreach> has no effect of ours"),  # noqa: E501
        ('<dance xmlns="urn:x"/>', "<state> 'a', onentry: lost: <{urn:x}dance> is not of SCXML"),
    ],
)  # fmt: skip
def test_what_has_no_form_is_a_line_of_the_report(content, line):
    assert losses(f'<state id="a"><onentry>{content}</onentry></state>') == [line]


def test_an_unknown_element_among_states_is_a_line_of_the_report():
    body = '<state id="a"><invoke type="http"/></state><banner/>'
    assert losses(body) == [
        "<state> 'a': lost: <invoke> is not carried",
        "<scxml>: lost: <banner> is not carried",
    ]


def test_a_guard_that_cannot_be_read_lets_nothing_through():
    body = '<state id="a"><transition event="e" cond="Math.random() > 0.5" target="b"/></state><state id="b"/>'  # noqa: E501
    imported = read_scxml(scxml(body))
    transition = imported.agent()["machine"]["regions"][0]["states"][0]["transitions"][0]
    assert transition["guard"] == "false"
    assert "which is now never true" in str(imported.losses[0])


@pytest.mark.parametrize(
    "cond",
    [
        "1+" * 100_000 + "1",
        "(" * 900 + "1",
        "!" * 1_900 + "1",
        "1==" * 600 + "1",
        "Math.pow(" * 10 + "n" + ",8)" * 10,
    ],
)
def test_an_endless_expression_is_a_line_of_the_report(cond):
    body = f'''<datamodel><data id="n" expr="1"/></datamodel><state id="a">
      <transition event="e" cond="{cond}" target="a"/></state>'''
    (line,) = losses(body)
    assert "which is now never true" in line


# --- what is refused --------------------

BOMB = """<?xml version="1.0"?><!DOCTYPE scxml [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="&c;"/></scxml>"""
FILE = """<?xml version="1.0"?><!DOCTYPE scxml [<!ENTITY a SYSTEM "file:///etc/passwd">]>
<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a">&a;</state></scxml>"""


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (BOMB, "a DTD or an entity"),
        (FILE, "a DTD or an entity"),
        ("", "this is no XML"),
        ("hello", "this is no XML"),
        (b"\xff\xfe\x00", "this is no XML"),
        ("<scxml", "this is no XML"),
        ("<html/>", "the root is <html>"),
        ('<scxml xmlns="urn:other"/>', "begins with <scxml>"),
        (scxml(""), "no state"),
        (scxml('<state id="a"/><state id="a"/>'), "two states have the id 'a'"),
        (scxml('<state id="a"><transition target="b"/></state>'), "there is no state 'b'"),
        (scxml('<state id="a"/>', 'initial="b"'), "there is no state 'b'"),
        (
            scxml('<state id="a" initial="b"><state id="c"/></state><state id="b"/>'),
            "is not inside it",
        ),
        (scxml('<state id="a"><history id="h"/></state>'), "stands in a state without states"),
        (
            scxml('<state id="a"><history id="h"/><state id="b"/></state>'),
            "has no default transition",
        ),
        (scxml("<state>" * 100 + "</state>" * 100), "nested deeper than 60"),
        (scxml("<state>" * 20_000 + "</state>" * 20_000), "nested deeper than 60"),
        (scxml("<state/>" * 60_000), "more than 50,000 elements"),
        (scxml('<state id="' + "a" * 5_000_001 + '"/>'), "longer than 5,000,000"),
        (
            f'{HEAD} xmlns:cc="urn:callchart:machine:1" cc:more="[1]"><state id="a"/></scxml>',
            "cc:more is no JSON object",
        ),
        (
            f'{HEAD} xmlns:cc="urn:callchart:machine:1" cc:more=\'{{"key": 5}}\'/>',
            "/key: ",
        ),
    ],
)
def test_what_is_no_scxml_is_refused_with_a_sentence(source, said):
    with pytest.raises(InterchangeError) as caught:
        read_scxml(source)
    assert said in str(caught.value)


WHOLE = scxml("""<datamodel><data id="n" expr="0"/></datamodel><parallel id="p">
  <history id="h" type="deep"><transition target="x1"/></history>
  <state id="x"><initial><transition target="x1"/></initial><state id="x1">
  <onentry><if cond="n &lt; 3"><assign location="n" expr="n + 1"/><else/><raise event="e"/></if>
  <send event="t" delay="1s" id="s"><param name="k" expr="n"/></send></onentry>
  <transition event="e" cond="In('y1')" target="x2 y2"/></state><state id="x2"/></state>
  <state id="y"><state id="y1"/><state id="y2"><transition event="o" target="f"/></state></state>
  </parallel><final id="f"><donedata><content expr="n"/></donedata></final>""")


@pytest.mark.parametrize("seed", range(6))
def test_no_broken_text_does_more_than_be_refused(seed):
    chance = random.Random(seed)
    read = refused = 0
    for _ in range(60):
        text = list(WHOLE)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            text[place] = chance.choice(["", "<", '"', "x", "&lt;", " ", "'", "/", "\x00", "9"])
        try:
            imported = read_scxml("".join(text))
        except InterchangeError:
            refused += 1
            continue
        try:
            Host(imported).rest()
            parse_agent(imported.agent())
        except DocumentError:
            continue
        read += 1
    assert read > 0
    assert refused > 0
