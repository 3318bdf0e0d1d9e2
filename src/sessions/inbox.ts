// What waits for a session: a log that is only appended to. How far it is read is written in the
// transcript, with the message that was taken, so nothing is lost or taken twice.

import { isToolError, type Store, type StoreOperation } from "../core/index.js";
import type { InboxItem } from "./records.js";

const MAIL_SPACE = "session.mail";
const PAGE = 1_000;

export interface WaitingItem {
  readonly sequence: number;
  readonly item: InboxItem;
}

/** Also marks the session as one to look at after a restart. */
export function pushOperations(sessionKey: string, items: readonly InboxItem[]): StoreOperation[] {
  return [
    { kind: "log.append", stream: inboxStream(sessionKey), records: items },
    { kind: "kv.put", space: MAIL_SPACE, key: sessionKey, value: true },
  ];
}

export async function readInbox(
  store: Store,
  { sessionKey, through }: { readonly sessionKey: string; readonly through: number },
): Promise<readonly WaitingItem[]> {
  const page = await store.log.read({
    stream: inboxStream(sessionKey),
    after: through,
    limit: PAGE,
  });
  // Only this room writes these streams.
  return page.records.map(({ sequence, value }) => ({ sequence, item: value as InboxItem }));
}

export async function lastOfInbox(store: Store, sessionKey: string): Promise<number> {
  const page = await store.log.readLast({ stream: inboxStream(sessionKey), limit: 1 });
  return page.records[0]?.sequence ?? 0;
}

/** Sessions that may have something waiting or a run that was left. */
export async function* listMail(store: Store): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const page = await store.kv.list({ space: MAIL_SPACE, after, limit: PAGE });
    for (const { key } of page.entries) yield key;
    after = page.next;
  } while (after !== undefined);
}

interface ClearRequest {
  readonly sessionKey: string;
  readonly isDone: () => Promise<boolean>;
  /** Written with it or not at all. */
  readonly also: readonly StoreOperation[];
}

/** When `isDone` still holds after the mark was read; a push in between keeps the mark. */
export async function clearMail(
  store: Store,
  { sessionKey, isDone, also }: ClearRequest,
): Promise<boolean> {
  const place = { space: MAIL_SPACE, key: sessionKey };
  const expectRevision = (await store.kv.get(place))?.revision ?? 0;
  if (!(await isDone())) return false;
  try {
    await store.transact([{ kind: "kv.delete", ...place, expectRevision }, ...also]);
    return true;
  } catch (error) {
    // Something arrived; the caller looks again.
    if (isToolError(error) && error.code === "conflict") return false;
    throw error;
  }
}

/** Its sequence numbers go on, so a new session under the same key begins behind them. Default: all. */
export async function emptyInbox(store: Store, sessionKey: string, through?: number) {
  const bound = through === undefined ? { keepLast: 0 } : { through };
  await store.log.trim({ stream: inboxStream(sessionKey), ...bound });
}

function inboxStream(sessionKey: string): string {
  return `inbox:${sessionKey}`;
}
