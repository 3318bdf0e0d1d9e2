// docs/adapters.md: both samples run as they stand, against the built package and the real loops, with
// a model that reads package.json and says its name.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_DIR, runNode } from "../fakes/run-node.js";

const PAGE = readFileSync(join(PROJECT_DIR, "docs", "adapters.md"), "utf8");
const [AI_SDK = "", PI = ""] = [...PAGE.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code = ""]) => code,
);

const AI_SDK_MODEL = `
  import { MockLanguageModelV3 } from "ai/test";
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const input = JSON.stringify({ path: "package.json" });
  const model = new MockLanguageModelV3();
  let count = 0;
  model.doGenerate = async ({ prompt }) => count++ === 0
    ? { content: [{ type: "tool-call", toolCallId: "call_1", toolName: "read", input }],
        finishReason: { unified: "tool-calls" }, usage, warnings: [] }
    : { content: [{ type: "text", text: nameIn(prompt) }],
        finishReason: { unified: "stop" }, usage, warnings: [] };`;

const PI_MODEL = `
  import { fauxAssistantMessage, fauxToolCall, registerFauxProvider } from "@earendil-works/pi-ai";
  const provider = registerFauxProvider();
  provider.setResponses([
    fauxAssistantMessage(fauxToolCall("read", { path: "package.json" }), { stopReason: "toolUse" }),
    ({ messages }) => fauxAssistantMessage(nameIn(messages)),
  ]);
  const model = provider.getModel();`;

/** The model's whole wit: the name that stands in the file it was shown. */
const NAME_IN = `
  const nameIn = (value) => /name[\\\\]*": [\\\\]*"([a-z]+)/.exec(JSON.stringify(value))?.[1] ?? "?";`;

describe("docs/adapters.md", () => {
  it.each([
    ["the AI SDK", `${AI_SDK_MODEL}${NAME_IN}\n${AI_SDK}\nconsole.log(text);`],
    [
      "pi",
      `${PI_MODEL}${NAME_IN}\n${PI}\nconsole.log(agent.state.messages.at(-1).content[0].text);`,
    ],
  ])("has a sample for %s that runs", async (_name, program) => {
    const run = await runNode(["--input-type=module", "--eval", program]);
    expect(run).toEqual({ exitCode: 0, stderr: "", stdout: "clawtools\n" });
  });
});
