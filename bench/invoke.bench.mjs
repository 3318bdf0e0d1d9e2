// 2c: one call of a tool that does nothing, through all stages, beside a direct call of its function.

import { createToolkit, defineTool, t } from "../dist/index.js";
import { summarize } from "./measure/side-by-side.mjs";

const ROUNDS = 25;
const WARM_UP_ROUNDS = 3;
const CALLS_PER_ROUND = 500;
const TOOL_COUNTS = [
  { count: 25, maxMicroseconds: 100 },
  { count: 1000, maxMicroseconds: 200 },
];

export const ids = ["2c"];

export async function rows() {
  const { execute } = createNoop();
  const raw = (call) => execute({ params: { text: `${call}` } });
  const doors = TOOL_COUNTS.map(({ count }) => createDoor(count));
  const [direct, ...ours] = await timeByTurns([raw, ...doors]);
  return TOOL_COUNTS.map(({ count, maxMicroseconds }, index) =>
    toRow({ count, maxMicroseconds, raw: direct, ours: ours[index] }),
  );
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
    config: { tools: { deny: ["group:fs"] } },
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

/** Like timeSideBySide, for work that is awaited: nanoseconds of one call. */
async function timeByTurns(works) {
  const samples = works.map(() => []);
  let call = 0;
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const start = process.hrtime.bigint();
      for (let left = CALLS_PER_ROUND; left > 0; left--) await work(call++);
      const spent = Number(process.hrtime.bigint() - start) / CALLS_PER_ROUND;
      if (round >= WARM_UP_ROUNDS) samples[index].push(spent);
    }
  }
  return samples.map(summarize);
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
