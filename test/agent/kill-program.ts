// A process with an agent that is killed at work: it takes up what the last one left, then sends
// messages one after the other, in two sessions of its group. `finish` waits for every run instead and prints the transcripts.

import { appendFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "../../src/agent/index.js";
import { createScriptedConnector, type ScriptedRequest } from "../../src/connectors/index.js";
import { defineTool, t, textResult } from "../../src/core/index.js";
import { createToolkit } from "../../src/toolkit/index.js";

const TURNS = 4;
const STANDARD_OUTPUT = 1;
const [folder = "", mode = "work", ...rest] = process.argv.slice(2);
const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);

const parameters = t.object({ text: t.string({ description: "Text." }) });
const effect = defineTool({
  ...{ name: "effect", description: "Writes a line.", parameters },
  async execute({ params }) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    appendFileSync(join(folder, "effects.log"), `${params.text}\n`);
    return textResult("written");
  },
});
const look = defineTool({
  ...{ name: "look", description: "Reads.", parameters, readOnly: true },
  execute: async () => textResult("nothing"),
});

/** Decided from the conversation alone, as a model would. */
function answer({ context }: ScriptedRequest) {
  const { messages } = context;
  const from = messages.findLastIndex(({ role }) => role === "user");
  const turn = messages.slice(from).filter(({ role }) => role === "assistant").length;
  const input = JSON.stringify(messages[from]).match(/input-\d+-[0-9a-f]+/)?.[0] ?? "";
  if (turn >= TURNS) return { text: `answer to ${input}` };
  const call = (name: string, part: string) => ({
    name,
    arguments: { text: `${input}.${turn}.${part}` },
  });
  return { calls: [call("effect", "a"), call("effect", "b"), call("look", "c")] };
}

const connector = createScriptedConnector(answer);
const [model] = connector.models;
const toolkit = createToolkit({
  root: folder,
  stateDir: join(folder, "tools"),
  tools: [effect, look],
});
const agent = createAgent({
  ...{ toolkit, store: join(folder, "state"), rerunBegun: mode === "rerun" },
  ...(model ? { model: { connector, model } } : {}),
});

if (mode === "finish") {
  for (const runId of rest) await agent.wait(runId).catch(() => say(`lost ${runId}`));
  for (const found of (await agent.sessionStore.entries.all()).values()) {
    for await (const line of agent.sessionStore.export(found)) say(`record ${found.key} ${line}`);
  }
  await agent.close();
  await toolkit.close();
} else {
  const [group = "0"] = rest;
  say("ready");
  for (let count = 0; ; count += 1) {
    const runId = `input-${count}-${process.pid.toString(16)}${Date.now().toString(16)}`;
    const { ended } = await agent.start({
      message: runId,
      runId,
      sessionKey: `s${group}-${count % 2}`,
    });
    say(`sent ${runId}`);
    if (count % 3 !== 0) await ended;
  }
}
