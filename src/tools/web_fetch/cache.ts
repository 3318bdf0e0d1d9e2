// Pages read lately, for as long as the network port they came through. A cache belongs to a port,
// so that no one sees what another policy let in.

import type { Net } from "../../core/index.js";
import type { PageText } from "./page-text.js";

const MAX_ENTRIES = 100;
const MAX_TOTAL_CHARS = 20_000_000;

export interface CachedPage {
  readonly page: PageText;
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly fetchedAtMs: number;
}

export interface PageCache {
  read(
    key: string,
    limits: { readonly nowMs: number; readonly maxAgeMs: number },
  ): CachedPage | undefined;
  write(key: string, entry: CachedPage): void;
}

/** By identity: what is kept goes with the port. */
const CACHES = new WeakMap<Net, PageCache>();

export function cacheOf(net: Net): PageCache {
  const known = CACHES.get(net);
  if (known !== undefined) return known;
  const made = createPageCache();
  CACHES.set(net, made);
  return made;
}

/** The path keeps its case, for servers tell it apart; a fragment is not part of what is asked for. */
export function cacheKey(request: {
  url: string;
  mode: string;
  includesHidden: boolean;
}): string | undefined {
  if (!URL.canParse(request.url)) return undefined;
  const url = new URL(request.url);
  url.hash = "";
  return `${request.mode} ${request.includesHidden ? "all" : "seen"} ${url.href}`;
}

function createPageCache(): PageCache {
  const entries = new Map<string, CachedPage>();
  let totalChars = 0;
  const drop = (key: string) => {
    totalChars -= entries.get(key)?.page.text.length ?? 0;
    entries.delete(key);
  };
  return {
    read(key, { nowMs, maxAgeMs }) {
      const entry = entries.get(key);
      if (entry === undefined || nowMs - entry.fetchedAtMs < maxAgeMs) return entry;
      drop(key);
      return undefined;
    },
    write(key, entry) {
      drop(key);
      entries.set(key, entry);
      totalChars += entry.page.text.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES && totalChars <= MAX_TOTAL_CHARS) break;
        drop(oldest);
      }
    },
  };
}
