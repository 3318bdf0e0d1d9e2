// Text that was cut in one command is read on by the next, which is another process.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createSandbox } from "./run-cli.js";

async function serveText(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address with that port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("the call that a cut page names gives the rest, still marked as text from outside", async () => {
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index + 1} of the page`);
  const url = await serveText(lines.join("\n"));
  const { run, runHere } = await createSandbox({
    config: { tools: { net: { ssrfPolicy: { allowedHostnames: ["127.0.0.1"] } } } },
  });
  const cut = await run("tools", "call", "web_fetch", "--json", `{"url":"${url}","maxChars":2000}`);
  expect(cut.stdout).not.toContain("line 400 of the page");
  const [path] = /artifact:\/\/[0-9a-f]+/.exec(cut.stdout) ?? [];
  const call = JSON.stringify({ path, offset: 390 });
  const rest = await runHere("tools", "call", "read", "--json", call);
  expect(rest).toMatchObject({ exitCode: 0 });
  expect(rest.stdout).toContain("line 400 of the page");
  expect(rest.stdout).toContain("EXTERNAL_UNTRUSTED_CONTENT");
  const stranger = await runHere("tools", "call", "read", "--agent", "other", "--json", call);
  expect(stranger.stdout).not.toContain("line 400 of the page");
});
