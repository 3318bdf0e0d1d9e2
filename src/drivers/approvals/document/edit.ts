// Changes of the document, each giving a new one. Fields that no one knows stay where they are.

import type { ApprovalsDocument, ApprovalsEntry } from "../../../config/index.js";
import type { CommandGrant } from "../../../core/index.js";
import { isExpired, keyOfAgent, type NamedEntry, nameEntries } from "./effective.js";

const MAX_COMMAND_CHARS = 200;

export interface GrantRequest {
  readonly agentId: string | undefined;
  readonly grants: readonly CommandGrant[];
  readonly source: string;
  readonly addedBy: string;
  readonly nowMs: number;
  readonly expiresAtMs?: number | undefined;
  readonly newId: () => string;
}

export interface Edited {
  readonly document: ApprovalsDocument;
  /** The entries that were added; one that stood there already is not added again. */
  readonly added: readonly NamedEntry[];
}

export function addGrants(document: ApprovalsDocument, request: GrantRequest): Edited {
  const { agentId, nowMs, expiresAtMs } = request;
  const key = keyOfAgent(document, agentId);
  const kept = listOf(document, key).filter((entry) => !isExpired(entry, nowMs));
  const fresh = request.grants
    .filter((grant) => !kept.some((entry) => isSame(entry, { grant, expiresAtMs })))
    .map(
      ({ pattern, argPattern, shown }): NamedEntry => ({
        id: request.newId(),
        pattern,
        ...(argPattern === undefined ? {} : { argPattern }),
        ...(shown === undefined ? {} : { shown }),
        source: request.source,
        addedAt: nowMs,
        addedBy: request.addedBy,
        ...(expiresAtMs === undefined ? {} : { expiresAt: expiresAtMs }),
      }),
    );
  return { document: withList(document, { key, list: [...kept, ...fresh] }), added: fresh };
}

/** `name`: the id of an entry, or its place as `agent[0]`. */
export function removeGrant(
  document: ApprovalsDocument,
  name: string,
): { readonly document: ApprovalsDocument; readonly removed: NamedEntry | undefined } {
  for (const [key, rules] of Object.entries(document.agents ?? {})) {
    const index = nameEntries(key, rules).findIndex(({ id }) => id === name);
    const removed = nameEntries(key, rules)[index];
    if (removed === undefined) continue;
    const list = listOf(document, key).filter((_, place) => place !== index);
    return { document: withList(document, { key, list }), removed };
  }
  return { document, removed: undefined };
}

export interface EntryUse {
  readonly atMs: number;
  readonly command: string;
  readonly resolvedPath: string | undefined;
}

/** Entries that are gone meanwhile are passed over. */
export function markUsed(
  document: ApprovalsDocument,
  uses: ReadonlyMap<string, EntryUse>,
): ApprovalsDocument {
  return Object.keys(document.agents ?? {}).reduce((changed, key) => {
    const names = nameEntries(key, { allowlist: listOf(changed, key) });
    const list = listOf(changed, key).map((entry, index) => {
      const use = uses.get(names[index]?.id ?? "");
      return use === undefined ? entry : withUse(entry, use);
    });
    return list.length === 0 ? changed : withList(changed, { key, list });
  }, document);
}

function withUse(entry: ApprovalsEntry, { atMs, command, resolvedPath }: EntryUse): ApprovalsEntry {
  return {
    ...entry,
    lastUsedAt: atMs,
    lastUsedCommand: command.slice(0, MAX_COMMAND_CHARS),
    ...(resolvedPath === undefined ? {} : { lastResolvedPath: resolvedPath }),
  };
}

function isSame(
  entry: ApprovalsEntry,
  {
    grant,
    expiresAtMs,
  }: { readonly grant: CommandGrant; readonly expiresAtMs?: number | undefined },
): boolean {
  return (
    entry.pattern === grant.pattern &&
    entry.argPattern === grant.argPattern &&
    entry.expiresAt === expiresAtMs
  );
}

function listOf({ agents = {} }: ApprovalsDocument, key: string): readonly ApprovalsEntry[] {
  return (Object.hasOwn(agents, key) ? agents[key]?.allowlist : undefined) ?? [];
}

function withList(
  document: ApprovalsDocument,
  { key, list }: { readonly key: string; readonly list: readonly ApprovalsEntry[] },
): ApprovalsDocument {
  const agents = document.agents ?? {};
  const rules = Object.hasOwn(agents, key) ? agents[key] : {};
  return { ...document, agents: { ...agents, [key]: { ...rules, allowlist: [...list] } } };
}
