// Artifacts as resources, read by the tool `read`, so that policy and limits apply.

import type { ContentBlock } from "../../../core/index.js";
import { readText } from "../../../lib/read-field.js";
import { RPC_CODES, RpcError } from "../json-rpc.js";
import type { RequestContext } from "./session-parts.js";

const URI = /^(artifact:\/\/[0-9a-f]{24})(?:\?(.*))?$/;
const PAGE_FIELDS = ["offset", "limit", "cursor"] as const;
const MIME_TYPE = "text/plain";
const READ = "read";

export function listResources({ parts }: RequestContext): object {
  return { resources: parts.artifacts.list().map(toResource) };
}

export function listResourceTemplates(): object {
  return {
    resourceTemplates: [
      {
        uriTemplate: "artifact://{id}{?offset,limit,cursor}",
        name: "artifact",
        description:
          "The whole text of a result that was cut, page by page; the end of a page names the next one.",
        mimeType: MIME_TYPE,
      },
    ],
  };
}

export function toResource({ uri, toolName }: SeenArtifact): object {
  return {
    uri,
    name: `${toolName} result`,
    description: `What was left out of a result of ${toolName}.`,
    mimeType: MIME_TYPE,
  };
}

export async function readResource(
  params: Readonly<Record<string, unknown>>,
  { parts, exchange }: RequestContext,
): Promise<object> {
  const uri = readText(params, "uri");
  if (uri === undefined) throw new RpcError(RPC_CODES.invalidParams, "uri must be a text.");
  const [, path, query = ""] = URI.exec(uri) ?? [];
  if (path === undefined) throw notFound(uri, "only artifact:// resources are offered");
  const { newCallId, entryPoint } = parts.settings;
  const answer = await parts.caller.invoke({
    id: newCallId(),
    name: READ,
    arguments: { path, ...readPage(query) },
    signal: exchange.signal,
    entryPoint,
  });
  if (answer.isError) throw notFound(uri, readText(answer.details, "error") ?? "it is gone");
  const texts = answer.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return { contents: [{ uri, mimeType: MIME_TYPE, text: texts.join("\n") }] };
}

/** Anything but numbers is ignored. */
function readPage(query: string): Record<string, number> {
  const asked = new URLSearchParams(query);
  const pairs = PAGE_FIELDS.flatMap((name) => {
    const value = Number(asked.get(name) ?? Number.NaN);
    return Number.isSafeInteger(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function notFound(uri: string, why: string): RpcError {
  return new RpcError(RPC_CODES.resourceNotFound, `Unknown resource "${uri.slice(0, 80)}": ${why}`);
}

const MAX_SEEN = 200;
const ARTIFACT = /\bartifact:\/\/[0-9a-f]{24}\b/g;

interface SeenArtifact {
  readonly uri: string;
  readonly toolName: string;
}

export type SeenArtifacts = ReturnType<typeof createSeenArtifacts>;

export function createSeenArtifacts() {
  const seen = new Map<string, SeenArtifact>();
  return {
    /** Returns the new ones. */
    note(toolName: string, content: readonly ContentBlock[]) {
      const uris = content.flatMap((block) =>
        block.type === "text" ? [...block.text.matchAll(ARTIFACT)].map(([uri]) => uri) : [],
      );
      const added = [...new Set(uris)]
        .filter((uri) => !seen.has(uri))
        .map((uri) => ({ uri, toolName }));
      for (const artifact of added) seen.set(artifact.uri, artifact);
      for (const uri of [...seen.keys()].slice(0, Math.max(0, seen.size - MAX_SEEN))) {
        seen.delete(uri);
      }
      return added;
    },
    list: () => [...seen.values()].reverse(),
  };
}
