// The sessions port: what one caller may list, read, message, start and stop.

import { redactSecrets } from "../../core/index.js";
import type { CallerSessions, Sessions } from "../../core/server.js";
import { checkLabel, displayKey, type FoundEntry, matchSessions } from "../../sessions/index.js";
import { type CallerSource, type CallerView, createCallerView } from "./caller-view.js";
import { createOwnTree } from "./own-tree.js";
import { createRunStarts } from "./start-runs.js";

const DEFAULT_LIST = 50;
const MAX_LIST = 200;
const MAX_ROW_MESSAGES = 20;
const DEFAULT_HISTORY = 50;
const MAX_HISTORY = 500;

export function createCallerSessions(source: CallerSource): Sessions {
  return { as: (caller) => createForCaller(createCallerView(source, caller)) };
}

function createForCaller(view: CallerView): CallerSessions {
  const { source, sessionKey, agentId, refusalOf, findVisible, toRow, whileWaiting } = view;
  const { sessions, clock } = source;

  async function readMessages(found: FoundEntry, request: Parameters<typeof sessions.history>[1]) {
    const { messages, before } = await sessions.history(found, request);
    const shown = messages.map((message) => ({
      ...message,
      content: message.content.map((part) => ({ ...part, text: redactSecrets(part.text) })),
    }));
    return { messages: shown, before };
  }

  return {
    self: { key: sessionKey, agentId },
    ...createRunStarts(view),
    ...createOwnTree(view),
    async list(request = {}) {
      const all = await sessions.entries.all();
      const matching = matchSessions(all.values(), { request, nowMs: clock.now() });
      const refusals = matching.map((found) => refusalOf(found, all, "listing"));
      const visible = matching.filter((_found, index) => refusals[index] === undefined);
      const from = Math.max(0, request.offset ?? 0);
      const size = clamp(request.limit, { usual: DEFAULT_LIST, most: MAX_LIST });
      const limit = clamp(request.messageLimit, { usual: 0, most: MAX_ROW_MESSAGES, least: 0 });
      const rows = visible.slice(from, from + size).map(async (found) => ({
        ...(await toRow(found)),
        ...(limit > 0 && { messages: (await readMessages(found, { limit })).messages }),
      }));
      const [reason] = refusals.flatMap((refusal) => refusal?.message ?? []);
      const count = matching.length - visible.length;
      return {
        sessions: await Promise.all(rows),
        total: visible.length,
        ...(reason ? { hidden: { count, reason } } : {}),
      };
    },
    async history(request) {
      const found = await findVisible(request, "history");
      const limit = clamp(request.limit, { usual: DEFAULT_HISTORY, most: MAX_HISTORY });
      const { before, includeTools } = request;
      const page = await readMessages(found, { limit, before, includeTools });
      return { sessionKey: displayKey(found.key, agentId), ...page };
    },
    status: async (target = {}) => toRow(await findVisible(target, "status")),
    async patch(target, { model, label, thinking }) {
      const { key } = await findVisible(target, "status");
      if (typeof model === "string") source.partsOf(key).choose(model);
      const name = typeof label === "string" ? checkLabel(label) : label;
      const changed = await sessions.entries.change(key, (entry) => ({
        ...entry,
        ...(model === undefined ? {} : { modelOverride: model ?? undefined }),
        ...(name === undefined ? {} : { label: name ?? undefined }),
        ...(thinking === undefined ? {} : { thinking: thinking ?? undefined }),
      }));
      return toRow(changed);
    },
    wait: ({ runIds, timeoutMs, signal }) =>
      whileWaiting(() =>
        Promise.all(runIds.map((id) => source.waits.until(id, { timeoutMs, signal }))),
      ),
  };
}

function clamp(
  given: number | undefined,
  { usual, most, least = 1 }: { usual: number; most: number; least?: number },
): number {
  return Math.min(most, Math.max(least, Math.floor(given ?? usual)));
}
