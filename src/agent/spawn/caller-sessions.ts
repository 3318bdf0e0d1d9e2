// The sessions port: what one caller may list, read, message, start and stop.

import type { CallerSessions, Sessions } from "../../core/server.js";
import { checkLabel, displayKey, matchSessions } from "../../sessions/index.js";
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
      const page = visible.slice(
        from,
        from + clamp(request.limit, { usual: DEFAULT_LIST, most: MAX_LIST }),
      );
      const messageLimit = clamp(request.messageLimit, {
        usual: 0,
        most: MAX_ROW_MESSAGES,
        least: 0,
      });
      const rows = await Promise.all(
        page.map(async (found) => {
          const row = await toRow(found);
          if (messageLimit === 0) return row;
          return {
            ...row,
            messages: (await sessions.history(found, { limit: messageLimit })).messages,
          };
        }),
      );
      const [reason] = refusals.flatMap((refusal) => refusal?.message ?? []);
      const count = matching.length - visible.length;
      return {
        sessions: rows,
        total: visible.length,
        ...(reason ? { hidden: { count, reason } } : {}),
      };
    },
    async history(request) {
      const found = await findVisible(request, "history");
      const limit = clamp(request.limit, { usual: DEFAULT_HISTORY, most: MAX_HISTORY });
      const { before, includeTools } = request;
      const page = await sessions.history(found, { limit, before, includeTools });
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
