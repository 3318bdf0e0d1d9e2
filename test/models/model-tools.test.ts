// `image` and `llm-task` through the toolkit, with scripted models and real images.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createModels } from "../../src/connectors/complete.js";
import {
  createScriptedConnector,
  type ScriptedConnector,
  type ScriptedTurn,
} from "../../src/connectors/debug/scripted.js";
import { ConnectorRegistry } from "../../src/connectors/index.js";
import type { Net } from "../../src/core/index.js";
import { createToolkit, type ToolkitOptions } from "../../src/toolkit/index.js";

const refuse = () => Promise.reject(new Error("the models of this test are scripted"));
const net: Net = {
  fetch: refuse,
  stream: refuse,
  socket: refuse,
  check: refuse,
  close: async () => undefined,
};

let root: string;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "model-tools-"));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await rm(root, { recursive: true });
});

type Config = NonNullable<ToolkitOptions["config"]>;

function open(turns: readonly ScriptedTurn[], given: Omit<Partial<ToolkitOptions>, "models"> = {}) {
  const connectors = new ConnectorRegistry();
  const scripted = createScriptedConnector(turns, {
    provider: "eye",
    id: "m",
    input: ["text", "image"],
  });
  connectors.register(scripted);
  const config: Config = {
    agents: { defaults: { model: "eye/m" } },
    tools: { alsoAllow: ["llm-task"] },
    ...given.config,
  };
  const models = createModels({ config, net, environment: { read: () => undefined }, connectors });
  const toolkit = createToolkit({ root, stateDir: false, ...given, config, models });
  closers.push(() => toolkit.close());
  return { toolkit, scripted };
}

function imageOf(scripted: ScriptedConnector) {
  const [message] = scripted.requests[0]?.context.messages ?? [];
  const blocks = message?.role === "user" && Array.isArray(message.content) ? message.content : [];
  const image = blocks.find((block) => block.type === "image");
  if (image?.type !== "image") throw new Error("no image was sent");
  return { blocks, image, bytes: Buffer.from(image.data, "base64") };
}

function createPicture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: "#c06030" } })
    .png()
    .toBuffer();
}

describe("image", () => {
  it("305 · sends a small copy of a file with the question and returns the answer", async () => {
    await writeFile(join(root, "big.png"), await createPicture(4000, 3000));
    const { toolkit, scripted } = open([{ text: "An orange wall." }]);
    const result = await toolkit.invoke({
      id: "1",
      name: "image",
      arguments: { path: "MEDIA:big.png", prompt: "Which colour?" },
    });
    expect(result.content).toEqual([{ type: "text", text: "An orange wall." }]);
    expect(result.details).toMatchObject({
      model: "eye/m",
      image: "big.png",
      width: 1568,
      height: 1176,
    });
    const { blocks, bytes } = imageOf(scripted);
    expect(blocks.at(-1)).toEqual({ type: "text", text: "Which colour?" });
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1568, height: 1176 });
    expect(bytes.length).toBeLessThanOrEqual(3_500_000);
  });

  it("307 310 389 · uses the image model, whatever the chat model is, or the one it is given", async () => {
    await writeFile(join(root, "a.png"), await createPicture(10, 10));
    const config: Config = { agents: { defaults: { model: "debug/echo", imageModel: "eye/m" } } };
    const { toolkit, scripted } = open([{ text: "Orange." }], { config });
    const ask = (args: Record<string, unknown>) =>
      toolkit.invoke({ id: "1", name: "image", arguments: { image: "a.png", ...args } });
    expect((await ask({})).details).toMatchObject({ model: "eye/m" });
    expect((await ask({ model: "eye/other" })).details).toMatchObject({ reason: "model_unknown" });
    expect(scripted.requests).toHaveLength(1);
  });

  it("305 306 · takes a data: URL, and asks to describe it when no question is given", async () => {
    const data = (await createPicture(10, 10)).toString("base64");
    const { toolkit, scripted } = open([{ text: "Orange." }]);
    const image = `data:image/png;base64,${data}`;
    const result = await toolkit.invoke({ id: "1", name: "image", arguments: { image } });
    expect(result.details).toMatchObject({ image: "data: URL", width: 10 });
    expect(imageOf(scripted).blocks.at(-1)).toEqual({ type: "text", text: "Describe the image." });
  });

  it("305 · fetches a URL through the network policy and marks the answer as untrusted", async () => {
    const picture = await createPicture(20, 20);
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/a.png" ? 200 : 404, { "content-type": "image/png" });
      response.end(picture);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    // A listening TCP server has an address with a port.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const closed = open([{ text: "never" }]);
    const refused = await closed.toolkit.invoke({
      id: "1",
      name: "image",
      arguments: { image: `${url}/a.png` },
    });
    expect(refused.details).toMatchObject({ code: "denied", reason: "address_refused" });
    const config: Config = {
      agents: { defaults: { model: "eye/m" } },
      tools: { net: { ssrfPolicy: { dangerouslyAllowPrivateNetwork: true } } },
    };
    const { toolkit } = open([{ text: "Seen." }], { config });
    const seen = await toolkit.invoke({
      id: "1",
      name: "image",
      arguments: { image: `${url}/a.png` },
    });
    expect(JSON.stringify(seen.content)).toMatch(/UNTRUSTED|untrusted/);
    const missing = await toolkit.invoke({
      id: "1",
      name: "image",
      arguments: { image: `${url}/b.png` },
    });
    expect(missing.details).toMatchObject({ reason: "image_not_loaded" });
  });

  it("308 · refuses what is too large, missing, outside the root, or not an image", async () => {
    await writeFile(join(root, "big.png"), await createPicture(400, 400));
    await writeFile(join(root, "note.txt"), "not an image");
    const { toolkit, scripted } = open([{ text: "never" }]);
    const reasonOf = async (args: Record<string, unknown>) => {
      const result = await toolkit.invoke({ id: "1", name: "image", arguments: args });
      return result.details;
    };
    expect(await reasonOf({ image: "big.png", maxBytesMb: 0.0001 })).toMatchObject({
      reason: "image_too_large",
    });
    expect(await reasonOf({ image: "gone.png" })).toMatchObject({ reason: "file_missing" });
    expect(await reasonOf({ image: "../gone.png" })).toMatchObject({ code: "denied" });
    expect(await reasonOf({ image: "note.txt" })).toMatchObject({ reason: "image_invalid" });
    expect(await reasonOf({ image: "data:image/png,hello" })).toMatchObject({
      reason: "data_url_invalid",
    });
    expect(scripted.requests).toHaveLength(0);
  });

  it("309 · is absent without a vision model, and hands the image over to a caller that sees", async () => {
    await writeFile(join(root, "a.png"), await createPicture(10, 10));
    const blind = createToolkit({
      root,
      stateDir: false,
      config: { agents: { defaults: { model: "debug/echo" } } },
    });
    closers.push(() => blind.close());
    const row = blind.explain().find(({ id }) => id === "image");
    expect(row).toMatchObject({
      status: "absent",
      code: "not_attached",
      reason: expect.stringContaining("no vision model: set agents.defaults.imageModel"),
    });
    expect(row).not.toHaveProperty("restore");
    const refused = await blind.invoke({ id: "0", name: "image", arguments: { image: "a.png" } });
    expect(refused).toMatchObject({ isError: true, details: { code: "unavailable" } });
    const seeing = createToolkit({ root, stateDir: false, vision: true });
    closers.push(() => seeing.close());
    const result = await seeing.invoke({ id: "1", name: "image", arguments: { image: "a.png" } });
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image"]);
  });
});

describe("llm-task", () => {
  const schema = {
    type: "object",
    properties: { colour: { type: "string" } },
    required: ["colour"],
    additionalProperties: false,
  };
  const run = (toolkit: ReturnType<typeof open>["toolkit"], args: Record<string, unknown> = {}) =>
    toolkit.invoke({ id: "1", name: "llm-task", arguments: { prompt: "Name a colour.", ...args } });

  it("220 · returns the JSON of the answer, also out of a code fence", async () => {
    const { toolkit, scripted } = open([{ text: '```json\n{"colour": "red"}\n```' }]);
    const result = await run(toolkit, { schema, input: { wall: 1 } });
    expect(result.details).toMatchObject({ json: { colour: "red" }, provider: "eye", model: "m" });
    const [message] = scripted.requests[0]?.context.messages ?? [];
    expect(message?.content).toContain('INPUT:\n{"wall":1}');
  });

  it("asks once more with what is wrong, and takes the repaired answer", async () => {
    const { toolkit, scripted } = open([
      { text: '{"color": "red"}' },
      { text: '{"colour": "red"}' },
    ]);
    const result = await run(toolkit, { schema });
    expect(result.details).toMatchObject({ json: { colour: "red" } });
    expect(scripted.requests).toHaveLength(2);
    expect(JSON.stringify(scripted.requests[1]?.context.messages)).toContain(
      "did not match schema",
    );
  });

  it.each([
    [["", ""], "LLM returned empty output"],
    [["Red!", "Still red!"], "LLM returned invalid JSON"],
    [["{}", '{"colour": 1}'], "LLM JSON did not match schema"],
  ])("gives up after one repair: %j", async (texts, words) => {
    const { toolkit, scripted } = open(texts.map((text) => ({ text })));
    const result = await run(toolkit, { schema });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain(words);
    expect(scripted.requests).toHaveLength(2);
  });

  it("uses only models of its allow list", async () => {
    const config: Config = {
      agents: { defaults: { model: "eye/m" } },
      tools: { alsoAllow: ["llm-task"] },
      plugins: { entries: { "llm-task": { config: { allowedModels: ["eye/m"] } } } },
    };
    const { toolkit } = open([{ text: "1" }], { config });
    expect((await run(toolkit)).details).toMatchObject({ json: 1, model: "m" });
    const other = await run(toolkit, { provider: "openai", model: "gpt-5.4" });
    expect(other.details).toMatchObject({ code: "denied", reason: "model_not_allowed" });
  });

  it("is offered only when an allow list names it, its plugin or group:plugins", () => {
    const config: Config = { agents: { defaults: { model: "eye/m" } }, tools: {} };
    const plain = open([], { config }).toolkit;
    const row = plain.explain().find(({ id }) => id === "llm-task");
    expect(row).toMatchObject({
      status: "absent",
      restore: { tools: { alsoAllow: ["llm-task"] } },
    });
    const grouped = open([], { config: { ...config, tools: { alsoAllow: ["group:plugins"] } } });
    expect(grouped.toolkit.tools.map(({ name }) => name)).toContain("llm-task");
  });

  it("ends in time and says so", async () => {
    const { toolkit } = open([{ text: "1", until: new Promise(() => undefined) }]);
    const result = await run(toolkit, { timeoutMs: 20 });
    expect(result.details).toMatchObject({ code: "timeout" });
  });
});
