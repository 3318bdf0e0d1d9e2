// 2f: one call of a tool that does nothing, as the AI SDK and pi make it, beside invoke.

import { toAISDK, toPi } from "../dist/adapters.js";
import { createToolkit, defineTool, t } from "../dist/index.js";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";

const ROUNDS = 40;
const CALLS_PER_ROUND = 500;

export const ids = ["2f"];

export async function rows() {
  const noop = defineTool({
    name: "noop",
    description: "Does nothing.",
    parameters: t.object({ text: t.string({ description: "Given back." }) }),
    // Its answer differs from call to call: the same one over and over would be a loop.
    execute: async ({ params }) => ({ content: [{ type: "text", text: params.text }] }),
  });
  const toolkit = createToolkit({ root: ".", stateDir: false, tools: [noop] });
  const inSDK = toAISDK(toolkit).noop;
  const inPi = toPi(toolkit).find(({ name }) => name === "noop");
  let count = 0;
  const next = () => ({ id: `call_${count}`, given: { text: `${count++}` } });
  const works = [
    async () => {
      const { id, given } = next();
      await toolkit.invoke({ id, name: "noop", arguments: given });
    },
    async () => {
      const { id, given } = next();
      inSDK.toModelOutput({ output: await inSDK.execute(given, { toolCallId: id }) });
    },
    async () => {
      const { id, given } = next();
      await inPi.execute(id, given);
    },
  ];
  const [raw, ...ours] = await timeByTurns(works, {
    rounds: ROUNDS,
    callsPerRound: CALLS_PER_ROUND,
  });
  await toolkit.close();
  return ["AI SDK", "pi"].map((name, index) =>
    toRowWithBest({
      id: "2f",
      work: `a no-op through the adapter for ${name} (raw = invoke)`,
      raw,
      ours: ours[index],
      maxRatio: 1.2,
    }),
  );
}
