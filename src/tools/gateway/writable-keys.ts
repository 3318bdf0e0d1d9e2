// Which config keys an agent may change. Policy, auth, sandbox, network, approvals and secrets are not
// among them: an agent that could write them could widen its own rights.

/** `*` matches one key or list index; a key allows everything below it. */
const WRITABLE_KEYS = [
  "agents.defaults.model",
  "agents.defaults.imageModel",
  "agents.defaults.heartbeat",
  "agents.defaults.compaction",
  "agents.defaults.userTimezone",
  "agents.list.*.name",
  "agents.list.*.identity",
  "agents.list.*.model",
  "agents.list.*.heartbeat",
  "cron.enabled",
  "cron.maxConcurrentRuns",
  "memory.citations",
  "messages",
  "session.reset",
  "session.idleMinutes",
  "ui",
] as const;

const PATTERNS = WRITABLE_KEYS.map((key) => key.split("."));

/** The keys that differ and that an agent may not write, as `tools.deny`. */
export function listForbidden(before: unknown, after: unknown): string[] {
  return listChanges([], { before, after })
    .filter((path) => !isWritable(path))
    .map(show);
}

type Path = readonly string[];

function isWritable(path: Path): boolean {
  return PATTERNS.some((pattern) =>
    pattern.every((step, index) => step === path[index] || (step === "*" && index < path.length)),
  );
}

/** The deepest keys whose values differ. */
function listChanges(
  path: Path,
  { before, after }: { readonly before: unknown; readonly after: unknown },
): Path[] {
  const [old, next] = [toEntries(before), toEntries(after)];
  if (old === undefined || next === undefined) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  }
  const keys = [...new Set([...old.keys(), ...next.keys()])];
  return keys.flatMap((key) =>
    listChanges([...path, key], { before: old.get(key), after: next.get(key) }),
  );
}

/** Objects, and lists whose entries all have an id, which is their key. */
function toEntries(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const ids = value.map((item: unknown) =>
    typeof item === "object" && item !== null ? Reflect.get(item, "id") : undefined,
  );
  if (ids.length === 0 || !ids.every((id) => typeof id === "string")) return undefined;
  return new Map(ids.map((id, index) => [id, value[index]]));
}

function show(path: Path): string {
  return path.length === 0 ? "the whole config" : path.join(".");
}
