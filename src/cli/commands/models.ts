// `clawtools models list | test`: which language models can be used here, and whether one answers.

import { toPrintable } from "../../lib/printable.js";
import { type Command, type CommandCall, show } from "../command.js";
import { AGENT_FLAG, JSON_FLAG } from "../flags.js";
import { formatColumns, wrapText } from "../terminal/wrap-text.js";
import { readUsableConfig } from "../usable-config.js";
import { useAndClose } from "../use-and-close.js";

const QUESTION = "Answer with one short sentence: are you there?";
const MAX_ANSWER_TOKENS = 256;
const TIMEOUT_MS = 60_000;
const MAX_ANSWER_CHARS = 2_000;

export const COMMANDS = {
  list: {
    notes: ["Models without a key are left out unless you give --all."],
    flags: { "--all": "List models that have no key as well.", ...AGENT_FLAG, ...JSON_FLAG },
    run: (call) =>
      withModels(call, async (models) => {
        const all = models.list();
        const rows = call.switches.has("all") ? all : all.filter(({ isUsable }) => isUsable);
        return show(call, rows, () => [
          ...formatColumns({ rows: rows.map(toColumns), width: call.width }),
          ...(rows.length === all.length
            ? []
            : ["", `${all.length - rows.length} more have no key; --all lists them.`]),
        ]);
      }),
  },
  test: {
    usage: "[MODEL]",
    notes: ["Sends one short question. MODEL is provider/model (default: the agent's model)."],
    flags: { ...AGENT_FLAG, ...JSON_FLAG },
    run: (call) =>
      withModels(call, async (models) => {
        const startMs = Date.now();
        const answer = await call.untilStopped((signal) =>
          models.complete({
            messages: [{ role: "user", content: QUESTION }],
            model: call.words[0],
            maxTokens: MAX_ANSWER_TOKENS,
            timeoutMs: TIMEOUT_MS,
            signal,
          }),
        );
        const document = { ...answer, tookMs: Date.now() - startMs };
        return show(call, document, () => [
          ...answer.failed.flatMap(({ error }) => wrapText(`! ${toPrintable(error)}`, call.width)),
          `✓ ${answer.model} answered in ${document.tookMs} ms`,
          ...wrapText(toPrintable(answer.text, MAX_ANSWER_CHARS), call.width),
        ]);
      }),
  },
} as const satisfies Record<string, Command>;

type AgentModels = Awaited<ReturnType<typeof openModels>>;

async function withModels<T>(
  call: CommandCall,
  work: (models: AgentModels) => Promise<T>,
): Promise<T> {
  return await useAndClose(await openModels(call), work);
}

async function openModels(call: CommandCall) {
  const { config } = await readUsableConfig(call);
  const { createAgentModels } = await import("../../toolkit/index.js");
  return createAgentModels({ config, agentId: call.texts.agent });
}

function toColumns(row: ReturnType<AgentModels["list"]>[number]): [string, string] {
  const { contextWindow, input = [], cost } = row.model;
  const facts = [
    ...(contextWindow === undefined ? [] : [`${Math.round(contextWindow / 1000)}k tokens`]),
    ...(input.includes("image") ? ["images"] : []),
    ...(cost === undefined || cost.output === 0 ? [] : [`$${cost.input} in, $${cost.output} out`]),
    ...(row.isUsable ? [] : ["no key"]),
  ];
  return [row.ref, facts.join(", ")];
}
