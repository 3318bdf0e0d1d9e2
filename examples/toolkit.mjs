// A whole, policed set of tools for your own agent loop: offered, called, refused, explained.
// Run: node examples/toolkit.mjs
import { createToolkit, defineTool, t, textResult } from "clawtools";

const deploy = defineTool({
  name: "deploy",
  description: "Deploy the project.",
  parameters: t.object({ stage: t.string({ description: "Where to.", enum: ["test", "live"] }) }),
  execute: async ({ params }) => textResult(`deployed to ${params.stage}`),
});

const toolkit = createToolkit({
  root: process.cwd(),
  config: {
    tools: { allow: ["group:fs", "group:runtime", "deploy"], deny: ["write", "edit"] },
    budgets: { calls: 100 },
  },
  tools: [deploy],
  hooks: {
    beforeCall: [
      ({ toolName, params }) =>
        toolName === "deploy" && JSON.stringify(params).includes("live")
          ? { requireApproval: "A deployment to live" }
          : undefined,
    ],
  },
  approve: async () => ({ decision: "deny", reason: "nobody deploys on Fridays" }),
});
toolkit.on("call", ({ toolName, stage, outcome, reason }) =>
  console.log("audit:", toolName, stage, outcome, reason ?? ""),
);

// What goes to the model: schemas for its API, and a list for its system prompt.
const schemas = toolkit.schemas({ provider: "google" });
console.log(schemas.map(({ name }) => name));
console.log(
  toolkit
    .prompt()
    .split("\n")
    .filter((line) => line.startsWith("- deploy")),
);

// What comes back from the model: one call after the other, none of which throws.
const calls = [
  { id: "call_1", name: "read", arguments: '{"path":"package.json","limit":2}' },
  { id: "call_2", name: "deploy", arguments: { stage: "test" } },
  { id: "call_3", name: "deploy", arguments: { stage: "live" } },
  { id: "call_4", name: "write", arguments: { path: "a.txt", content: "a" } },
];
for (const call of calls) {
  const { content } = await toolkit.invoke(call);
  for (const block of content) if (block.type === "text") console.log(block.text);
}

const { reason, restore } = toolkit.explain("write");
console.log(reason, JSON.stringify(restore));
await toolkit.close();
