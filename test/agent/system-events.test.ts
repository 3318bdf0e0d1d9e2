// Events that wait for a session's next turn.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createToolkit } from "../../src/toolkit/index.js";
import { makeFolder, startAgent } from "./agent-setting.js";

const COMMAND = "until [ -e go ]; do sleep 0.05; done; echo built";

it("17 · a background command that ends is an event of the session that started it", async () => {
  const folder = await makeFolder();
  const toolkit = createToolkit({
    root: folder,
    stateDir: join(folder, "commands"),
    config: { tools: { exec: { security: "full", ask: "off" } } },
  });
  onTestFinished(() => toolkit.close());
  const ended = new Promise<void>((resolve) => {
    toolkit.on("notice", ({ sessionId }) => {
      if (sessionId !== undefined) resolve();
    });
  });
  const { agent, connector } = await startAgent({
    folder,
    options: { toolkit },
    script: [
      { calls: [{ name: "exec", arguments: { command: COMMAND, background: true } }] },
      { text: "started" },
    ],
  });
  await agent.send({ message: "build it", sessionKey: "work" });
  await writeFile(join(folder, "go"), "");
  await ended;
  await agent.send({ message: "anything else?", sessionKey: "main" });
  expect(JSON.stringify(connector.requests.at(-1)?.context.messages)).not.toContain("System event");
  await agent.send({ message: "and?", sessionKey: "work" });
  const sent = JSON.stringify(connector.requests.at(-1)?.context.messages.at(-1));
  expect(sent).toMatch(/\[System event\].*echo built.*and\?/);
});
