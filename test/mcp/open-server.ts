// A server in this process, on streams in memory, with a client by hand at the other end. Both end
// with the test.

import { PassThrough } from "node:stream";
import { createToolkit, type Toolkit, type ToolkitOptions } from "clawtools";
import { createMcpApprovals, type McpServer, type ServeMcpOptions, serveMcp } from "clawtools/mcp";
import { onTestFinished } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { createHandClient, type HandClient, type HandClientOptions } from "./hand-client.js";

export interface OpenedServer {
  readonly toolkit: Toolkit;
  readonly server: McpServer;
  readonly client: HandClient;
  readonly root: string;
  readonly input: PassThrough;
  readonly output: PassThrough;
}

export interface ServerWish {
  readonly files?: Record<string, string>;
  readonly toolkit?: Partial<ToolkitOptions>;
  readonly server?: ServeMcpOptions;
  readonly answer?: HandClientOptions["answer"];
}

/** Commands run on this machine, and everything may run, unless the wish says otherwise. */
export async function makeToolkit({ files, toolkit: wish }: ServerWish = {}) {
  const root = await createTempFolder(files);
  const stateDir = await createTempFolder();
  const approvals = createMcpApprovals();
  const toolkit = createToolkit({
    root,
    stateDir,
    provider: "mcp",
    approve: approvals.approve,
    config: { tools: { exec: { host: "gateway", security: "full", ask: "off" } } },
    ...wish,
  });
  onTestFinished(() => toolkit.close());
  return { root, stateDir, approvals, toolkit };
}

/** Every command must be approved. */
export const ASKING = {
  config: { tools: { exec: { host: "gateway", security: "full", ask: "always" } } },
} satisfies Partial<ToolkitOptions>;

export async function openServer(wish: ServerWish = {}): Promise<OpenedServer> {
  const { root, toolkit, approvals } = await makeToolkit(wish);
  const input = new PassThrough();
  const output = new PassThrough();
  const streams = { input, output };
  const server = await serveMcp(toolkit, { streams, approvals, ...wish.server });
  onTestFinished(() => server.close());
  const client = createHandClient({
    from: output,
    to: input,
    ...(wish.answer ? { answer: wish.answer } : {}),
  });
  return { toolkit, server, client, root, input, output };
}
