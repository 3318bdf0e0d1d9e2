// What a call answered, as MCP shows it: each text once, images as images, artifacts as links.

import type { InvokeResult } from "../../../../core/index.js";
import { readText } from "../../../../lib/read-field.js";
import { RPC_CODES, RpcError } from "../../protocol/json-rpc.js";
import { traitsOf } from "../../protocol/versions.js";
import { toResource } from "../resources/resources.js";
import type { SessionParts } from "../session-parts.js";

/** Throws an RpcError for a tool that is not there; what a tool failed at is a result. */
export function showResult(answer: InvokeResult, { artifacts, state }: SessionParts): object {
  const { toolName, content, details, isError } = answer;
  if (isError && readText(details, "reason") === "tool_unknown") {
    throw new RpcError(
      RPC_CODES.invalidParams,
      readText(details, "error") ?? "There is no such tool.",
    );
  }
  const seen = artifacts.note(toolName, content);
  const { hasLinks } = traitsOf(state.version ?? "2024-11-05");
  const links = hasLinks
    ? seen.map((artifact) => ({ type: "resource_link", ...toResource(artifact) }))
    : [];
  return { content: [...content, ...links], ...(isError ? { isError: true } : {}) };
}
