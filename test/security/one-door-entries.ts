// Every way by which a call can come to the door, each as a function that makes one call on a state
// folder of its own and gives the text that its caller is told.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type ClawtoolsConfig, createToolkit, type EntryPoint, type Toolkit } from "clawtools";
import { toAISDK, toPi } from "clawtools/adapters";
import { createGateway, type Gateway } from "clawtools/gateway";
import { serveMcp } from "clawtools/mcp";
import { BIN, INSTALLED_PATH } from "../cli/run-cli.js";
import { runNode } from "../fakes/run-node.js";
import { connect } from "../gateway/client.js";
import { createHandClient, textOf } from "../mcp/hand-client.js";

const PROTOCOL = "2025-06-18";

export interface Place {
  readonly root: string;
  readonly stateDir: string;
  readonly config: ClawtoolsConfig;
}

export interface WantedCall {
  readonly name: string;
  readonly given: Record<string, unknown>;
}

/** The text of the refusal; undefined when the tool is not offered by this way at all. */
export type Enter = (place: Place, call: WantedCall) => Promise<string | undefined>;

export const ENTRIES: Readonly<Record<EntryPoint, Enter>> = {
  library: (place, { name, given }) =>
    withToolkit(place, async (toolkit) => {
      const { content } = await toolkit.invoke({ id: "call_library", name, arguments: given });
      return joinTexts(content);
    }),
  tools: (place, { name, given }) =>
    withToolkit(place, async (toolkit) => {
      const tool = toolkit.tools.find((one) => one.name === name);
      return tool && joinTexts((await tool.execute("call_tools", given)).content);
    }),
  cli: async ({ root, stateDir, config }, { name, given }) => {
    const file = join(stateDir, "clawtools.json");
    writeFileSync(file, JSON.stringify(config));
    const flags = ["--root", root, "--state-dir", stateDir, "--config", file];
    const call = ["tools", "call", name, "--json", JSON.stringify(given)];
    const { stdout } = await runNode([BIN, ...call, ...flags], { PATH: INSTALLED_PATH });
    return stdout.replace(/\n$/, "");
  },
  "mcp-stdio": (place, { name, given }) =>
    withToolkit(place, async (toolkit) => {
      const streams = { input: new PassThrough(), output: new PassThrough() };
      const server = await serveMcp(toolkit, { streams });
      const client = createHandClient({ from: streams.output, to: streams.input });
      await client.initialize(PROTOCOL);
      const answer = await client.request("tools/call", { name, arguments: given });
      await server.close();
      return answer.error?.message ?? textOf(answer);
    }),
  "mcp-http": (place, call) =>
    withToolkit(place, async (toolkit) => {
      const server = await serveMcp(toolkit, { http: { port: 0 } });
      try {
        return await callOverHttp({ url: server.url ?? "", token: server.token ?? "" }, call);
      } finally {
        await server.close();
      }
    }),
  "gateway-ws": (place, { name, given }) =>
    withGateway(place, async ({ url, auth }) => {
      const client = await connect(url, { auth: { token: auth.secret } });
      const { payload } = await client.request("tools.invoke", { name, args: given });
      return textOfInvoke(payload);
    }),
  "gateway-http": (place, { name, given }) => {
    // HTTP refuses some tools by itself; here the policy is to be asked.
    const config = { ...place.config, gateway: { tools: { allow: [name] } } };
    return withGateway({ ...place, config }, async ({ httpUrl, auth }) => {
      const response = await fetch(`${httpUrl}/tools/invoke`, {
        method: "POST",
        headers: { authorization: `Bearer ${auth.secret}`, "content-type": "application/json" },
        body: JSON.stringify({ tool: name, args: given }),
      });
      return textOfInvoke(await response.json());
    });
  },
  "ai-sdk": (place, { name, given }) =>
    withToolkit(place, async (toolkit) => {
      const tool = toAISDK(toolkit)[name];
      const output = await tool?.execute(given, { toolCallId: "call_ai_sdk" });
      const told = output && tool?.toModelOutput({ output });
      return told && String(told.value);
    }),
  pi: (place, { name, given }) =>
    withToolkit(place, async (toolkit) => {
      const tool = toPi(toolkit).find((one) => one.name === name);
      return tool?.execute("call_pi", given).then(
        ({ content }) => joinTexts(content),
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
    }),
};

async function withToolkit<Value>(
  { root, stateDir, config }: Place,
  work: (toolkit: Toolkit) => Promise<Value>,
): Promise<Value> {
  const toolkit = createToolkit({ root, stateDir, config });
  try {
    await toolkit.ready;
    return await work(toolkit);
  } finally {
    await toolkit.close();
  }
}

async function withGateway<Value>(
  { root, stateDir, config }: Place,
  work: (gateway: Gateway) => Promise<Value>,
): Promise<Value> {
  const gateway = await createGateway({ root, stateDir, config, port: 0 });
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
}

function textOfInvoke(answer: unknown): string {
  const { error } = answer as { error?: { message: string } };
  return error?.message ?? "";
}

async function callOverHttp(
  { url, token }: { readonly url: string; readonly token: string },
  { name, given }: WantedCall,
): Promise<string> {
  let session: string | undefined;
  const post = async (message: object) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        "mcp-protocol-version": PROTOCOL,
        ...(session === undefined ? {} : { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    return readMessages(await response.text());
  };
  const clientInfo = { name: "one-door", version: "1.0.0" };
  const hello = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo };
  await post({ id: 1, method: "initialize", params: hello });
  await post({ method: "notifications/initialized" });
  const messages = await post({
    id: 2,
    method: "tools/call",
    params: { name, arguments: given },
  });
  const answer = messages.find(({ id }) => id === 2) ?? {};
  return answer.error?.message ?? textOf(answer);
}

/** One JSON document, or the events of a stream. */
function readMessages(body: string): Parameters<typeof textOf>[0][] {
  const lines = body.split("\n").filter((line) => line.startsWith("data:"));
  const texts = lines.length > 0 ? lines.map((line) => line.slice("data:".length)) : [body];
  return texts.filter((text) => text.trim() !== "").map((text) => JSON.parse(text));
}

function joinTexts(content: ReadonlyArray<{ readonly type: string; readonly text?: string }>) {
  return content.map(({ text = "" }) => text).join("\n");
}
