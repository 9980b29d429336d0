// Peers from npm. `node node_peers.mjs NAME WORKLOAD SECONDS CHARTS`: prints {"rate": events per CPU
// second of the main thread}. CHARTS is what `python -m benchmarks.engine.charts` prints. Where the
// package is not installed it prints {"absent": why}.
import fs from 'node:fs';

const [name, letter, seconds, file] = process.argv.slice(2);
const { workloads, checked_events: checkedEvents } = JSON.parse(fs.readFileSync(file, 'utf8'));
const load = workloads[letter];

/** One datum of a write: `+1` adds one to what was there. */
const written = (context, value, datum) => (value === '+1' ? context[datum] + 1 : value);

/** What XState's entry and exit actions count. */
const counts = { ...load.data };

/** A chart in XState's own form. Guards and assigns read the context. */
function xstateConfig(state, { assign }) {
  const config = {};
  if (state.kind === 'parallel') config.type = 'parallel';
  else if (state.children.length) config.initial = state.children[0].key;
  if (state.children.length) {
    config.states = Object.fromEntries(
      state.children.map((child) => [child.key, xstateConfig(child, { assign })]),
    );
  }
  if (state.counted) {
    // Plain functions: quicker than assigns, and what the library calls an action.
    config.entry = () => {
      counts.enters++;
    };
    config.exit = () => {
      counts.exits++;
    };
  }
  config.on = Object.fromEntries(
    Object.entries(state.moves).map(([event, moves]) => [
      event,
      moves.map((move) => ({
        target: move.target,
        ...(move.when && { guard: ({ context }) => context[move.when[0]] === move.when[1] }),
        ...(move.then.length && {
          actions: assign(
            Object.fromEntries(
              move.then.map(([datum, value]) => [
                datum,
                value === '+1' ? ({ context }) => context[datum] + 1 : () => value,
              ]),
            ),
          ),
        }),
      })),
    ]),
  );
  return config;
}

const leavesOf = (value) =>
  typeof value === 'string' ? [value] : Object.values(value).flatMap(leavesOf);

async function xstateMachine(xstate) {
  return xstate.createMachine({
    id: 'chart',
    context: { ...load.data },
    ...xstateConfig(load.root, xstate),
  });
}

const engines = {
  'xstate-actor': async () => {
    const xstate = await import('xstate');
    const actor = xstate.createActor(await xstateMachine(xstate)).start();
    return {
      send: (type) => actor.send({ type }),
      leaves: () => leavesOf(actor.getSnapshot().value),
      data: () => ({ ...actor.getSnapshot().context, ...(load.root.children[0].counted && counts) }),
    };
  },
  'xstate-pure': async () => {
    const xstate = await import('xstate');
    const machine = await xstateMachine(xstate);
    const perform = (actions) => {
      for (const action of actions) action.exec?.(action.info, action.params);
    };
    let [snapshot, first] = xstate.initialTransition(machine);
    perform(first);
    return {
      send: (type) => {
        const [next, actions] = xstate.transition(machine, snapshot, { type });
        snapshot = next;
        perform(actions);
      },
      leaves: () => leavesOf(snapshot.value),
      data: () => ({ ...snapshot.context, ...(load.root.children[0].counted && counts) }),
    };
  },
  'xstate-fsm': async () => {
    const { createMachine, interpret, assign } = await import('@xstate/fsm');
    const row = (move) => ({
      target: move.target,
      ...(move.when && { cond: (context) => context[move.when[0]] === move.when[1] }),
      ...(move.then.length && {
        actions: assign(
          Object.fromEntries(
            move.then.map(([datum, value]) => [
              datum,
              (context) => written(context, value, datum),
            ]),
          ),
        ),
      }),
    });
    const states = Object.fromEntries(
      load.root.children.map((state) => [
        state.key,
        { on: Object.fromEntries(Object.entries(state.moves).map(([e, m]) => [e, m.map(row)])) },
      ]),
    );
    const initial = load.root.children[0].key;
    const service = interpret(
      createMachine({ id: 'chart', initial, context: { ...load.data }, states }),
    ).start();
    return {
      send: (type) => service.send({ type }),
      leaves: () => [service.state.value],
      data: () => service.state.context,
    };
  },
  robot3: async () => {
    const robot = await import('robot3');
    const row = (event, move) => {
      const more = [];
      if (move.when) more.push(robot.guard((context) => context[move.when[0]] === move.when[1]));
      if (move.then.length) {
        more.push(
          robot.reduce((context) => {
            const next = { ...context };
            for (const [datum, value] of move.then) next[datum] = written(context, value, datum);
            return next;
          }),
        );
      }
      return robot.transition(event, move.target, ...more);
    };
    const states = Object.fromEntries(
      load.root.children.map((state) => [
        state.key,
        robot.state(
          ...Object.entries(state.moves).flatMap(([event, moves]) =>
            moves.map((move) => row(event, move)),
          ),
        ),
      ]),
    );
    const initial = load.root.children[0].key;
    const service = robot.interpret(
      robot.createMachine(initial, states, () => ({ ...load.data })),
      () => {},
    );
    return {
      send: service.send,
      leaves: () => [service.machine.current],
      data: () => service.context,
    };
  },
};

/** CPU seconds of this thread alone: helpers that compile and collect are not charged. */
const cpuSeconds = () =>
  Number(fs.readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e9;

function batch(send, cycles) {
  const begun = cpuSeconds();
  for (let cycle = 0; cycle < cycles; cycle++) for (const event of load.events) send(event);
  return cpuSeconds() - begun;
}

function rate(send) {
  let cycles = 16;
  let spent = 0;
  while (spent < 0.2) {
    cycles *= 2;
    spent = batch(send, cycles); // long enough for the compiler to have seen it all
  }
  cycles = Math.max(1, Math.floor((cycles * Number(seconds)) / spent));
  const rates = [1, 2, 3].map(() => (cycles * load.events.length) / batch(send, cycles));
  return rates.sort((one, other) => one - other)[1];
}

async function measured() {
  let run;
  try {
    run = await engines[name]();
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return { absent: error.message };
    throw error;
  }
  for (let n = 0; n < checkedEvents; n++) run.send(load.events[n % load.events.length]);
  const data = run.data();
  const stands = [
    [...run.leaves()].sort(),
    Object.fromEntries(Object.keys(load.data).map((key) => [key, data[key]])),
  ];
  const wanted = [[...load.leaves].sort(), load.ends_with];
  if (JSON.stringify(stands) !== JSON.stringify(wanted)) {
    return { error: `stands at ${JSON.stringify(stands)}, must be at ${JSON.stringify(wanted)}` };
  }
  return { rate: rate(run.send) };
}

console.log(JSON.stringify(await measured()));
process.exit(0);
