// A call that runs in the gateway of this state folder: for tools whose sessions only the gateway has.

import { readField, readText } from "../../lib/read-field.js";
import type { ToolDefinition } from "../define-tool.js";
import { ERROR_CODES, type ErrorCode, ToolError } from "../errors.js";
import type { ToolContext, ToolResult } from "../tool.js";

type GatewayPort = NonNullable<ToolContext["gateway"]>;

export function findRemote({ needs }: ToolDefinition, ctx: ToolContext): GatewayPort | undefined {
  return needs.includes("sessions") && ctx.sessions === undefined ? ctx.gateway : undefined;
}

export async function runInGateway(
  gateway: GatewayPort,
  call: {
    readonly definition: ToolDefinition;
    readonly params: unknown;
    readonly ctx: ToolContext;
    readonly signal: AbortSignal;
  },
): Promise<ToolResult> {
  const { definition, ctx, signal } = call;
  const { sessionKey, agentId } = ctx;
  const params = {
    ...{ name: definition.name, args: call.params },
    ...(sessionKey && { sessionKey }),
    ...(agentId && { agentId }),
  };
  const request = { method: "tools.invoke", params, timeoutMs: definition.deadlineMs, signal };
  const answer = await gateway.call(request);
  const output = readField(answer, "output");
  // The gateway ran the same tool, so that what it gives is a result of it.
  if (readField(answer, "ok") === true) return output as ToolResult;
  throw toError(readField(answer, "error"));
}

function toError(error: unknown): ToolError {
  const details = readField(error, "details");
  const code = readText(details, "code") ?? "";
  const message = readText(error, "message") ?? "";
  return new ToolError(isErrorCode(code) ? code : "failed", unwrap(message), {
    reason: readText(details, "reason"),
  });
}

/** The text of a failed call is a document with the sentence in `error`. */
function unwrap(message: string): string {
  try {
    return readText(JSON.parse(message), "error") ?? message;
  } catch {
    return message;
  }
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
