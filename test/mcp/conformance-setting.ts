// What the published conformance suite expects of a server: tools of its own, and no token. The tools
// are offered here; a proxy adds the token, which the suite cannot send.

import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { defineTool, type ToolDefinition, t } from "clawtools";
import { onTestFinished } from "vitest";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const STEPS = [0, 50, 100];
const STEP_MS = 150;

export const FIXTURES: readonly ToolDefinition[] = [
  defineTool({
    name: "test_simple_text",
    description: "Gives a text.",
    parameters: t.object({}),
    execute: async () => ({
      content: [{ type: "text", text: "This is a simple text response for testing." }],
    }),
  }),
  defineTool({
    name: "test_image_content",
    description: "Gives an image.",
    parameters: t.object({}),
    execute: async () => ({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }),
  }),
  defineTool({
    name: "test_error_handling",
    description: "Always fails.",
    parameters: t.object({}),
    execute: async () => {
      throw new Error("This tool intentionally returns an error for testing");
    },
  }),
  defineTool({
    name: "test_tool_with_progress",
    description: "Tells how far it is.",
    parameters: t.object({}),
    execute: async ({ update, ctx }) => {
      for (const step of STEPS) {
        update({ content: [{ type: "text", text: `at ${step}` }] });
        await new Promise<void>((resolve) => ctx.clock.after(STEP_MS, resolve));
      }
      return { content: [{ type: "text", text: "100" }] };
    },
  }),
  defineTool({
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    parameters: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    execute: async () => ({ content: [{ type: "text", text: "checked" }] }),
  }),
];

/** The address of a proxy that adds the token, and leaves foreign hosts and origins as they are. */
export async function openProxy({ url, token }: { url: string; token: string }): Promise<string> {
  const target = new URL(url);
  const proxy = createServer((request, response) => {
    const own = `127.0.0.1:${portOf(proxy.address())}`;
    const { host = "", origin } = request.headers;
    const headers = {
      ...request.headers,
      host: isOwn(host, own) ? target.host : host,
      ...(origin === undefined || !isOwn(origin.replace("http://", ""), own)
        ? {}
        : { origin: target.origin }),
      authorization: `Bearer ${token}`,
    };
    const forward = httpRequest(
      { port: target.port, method: request.method, path: request.url, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    forward.on("error", () => response.destroy());
    response.on("close", () => forward.destroy());
    request.pipe(forward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${portOf(proxy.address())}/mcp`;
}

function isOwn(host: string, own: string): boolean {
  return host === own || host === own.replace("127.0.0.1", "localhost");
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
