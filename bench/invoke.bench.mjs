// 2c: one call of a tool that does nothing, through all stages, beside a direct call of its function.

import { createToolkit, defineTool, t } from "../dist/index.js";
import { timeByTurns } from "./measure/by-turns.mjs";

const TURNS = { rounds: 25, callsPerRound: 500 };
const TOOL_COUNTS = [
  { count: 25, maxMicroseconds: 100 },
  { count: 1000, maxMicroseconds: 200 },
];

const MAX_VIEW_MICROSECONDS = 50;

export const ids = ["2c"];

export async function rows() {
  const { execute } = createNoop();
  const raw = (call) => execute({ params: { text: `${call}` } });
  const doors = TOOL_COUNTS.map(({ count }) => createDoor(count));
  const [direct, ...ours] = await timeByTurns([raw, ...doors], TURNS);
  const calls = TOOL_COUNTS.map(({ count, maxMicroseconds }, index) =>
    toRow({ count, maxMicroseconds, raw: direct, ours: ours[index] }),
  );
  return [...calls, await viewRow()];
}

/** A view for one caller, beside a whole toolkit for that caller. */
async function viewRow() {
  const options = { root: ".", stateDir: false };
  const toolkit = createToolkit(options);
  const view = async (call) => {
    toolkit.forCaller({ sessionKey: `s${call % 100}`, runId: `r${call}` });
  };
  const whole = async (call) => {
    createToolkit({ ...options, sessionKey: `s${call}` });
  };
  const [raw, ours] = await timeByTurns([whole, view], { rounds: 5, callsPerRound: 20 });
  return {
    id: "2c",
    work: "a view for one caller (raw = a toolkit for each)",
    raw: `${(raw.median / 1e3).toFixed(0)} us`,
    ours: `${(ours.median / 1e3).toFixed(1)} us`,
    ratio: `${(ours.median / raw.median).toFixed(3)}x`,
    target: `<= ${MAX_VIEW_MICROSECONDS} us`,
    met: ours.median / 1e3 <= MAX_VIEW_MICROSECONDS,
  };
}

/** Its answer differs from call to call: the same one over and over would be a loop. */
function createNoop() {
  const execute = async ({ params }) => ({ content: [{ type: "text", text: params.text }] });
  const parameters = t.object({ text: t.string({ description: "Given back." }) });
  return { execute, parameters };
}

/** A toolkit that offers `count` tools, with a hook on either side of the call. */
function createDoor(count) {
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({ name: `noop_${index}`, description: "Does nothing.", ...createNoop() }),
  );
  const toolkit = createToolkit({
    root: ".",
    stateDir: false,
    tools,
    config: { tools: { allow: ["noop_*"] } },
    hooks: { beforeCall: [() => undefined], afterCall: [() => undefined] },
  });
  if (toolkit.tools.length !== count) throw new Error(`${toolkit.tools.length} tools are offered`);
  const name = `noop_${Math.floor(count / 2)}`;
  return async (call) => {
    const text = `${call}`;
    const { isError } = await toolkit.invoke({ id: `call_${call}`, name, arguments: { text } });
    if (isError) throw new Error("the call failed");
  };
}

function toRow({ count, maxMicroseconds, raw, ours }) {
  const microseconds = ours.median / 1e3;
  return {
    id: "2c",
    work: `invoke a no-op of ${count} tools (raw = direct call)`,
    raw: `${raw.median.toFixed(0)} ns`,
    ours: `${microseconds.toFixed(1)} us, best ${(ours.minimum / 1e3).toFixed(1)} us`,
    ratio: `${(ours.median / raw.median).toFixed(0)}x`,
    target: `<= ${maxMicroseconds} us`,
    met: microseconds <= maxMicroseconds,
  };
}
