// A row of the ledger as it lies in the store; what cannot be read as one is no row.

export interface LedgerRow {
  /** The mark of the process that started it. */
  readonly owner: string;
  readonly sessionId: string;
  readonly pid: number;
  /** With the pid it names one process for ever. */
  readonly startTicks: string;
  /** NAME=value in the environment of all its processes. */
  readonly mark: string;
  readonly containment: string;
  /** Bounded. */
  readonly command: string;
  readonly cwd: string;
  readonly agentId?: string | undefined;
  readonly sessionKey?: string | undefined;
  readonly startedAtMs: number;
  readonly logPath?: string | undefined;
  /** Whoever asked for it was told that it goes on. */
  readonly isBackground: boolean;
}

export function parseLedgerRow(value: unknown): LedgerRow | undefined {
  const texts = readTexts(value);
  const pid = numberIn(value, "pid");
  const startedAtMs = numberIn(value, "startedAtMs");
  if (texts === undefined || pid === undefined || startedAtMs === undefined) return undefined;
  return {
    ...texts,
    pid,
    startedAtMs,
    agentId: textIn(value, "agentId"),
    sessionKey: textIn(value, "sessionKey"),
    logPath: textIn(value, "logPath"),
    isBackground: read(value, "isBackground") === true,
  };
}

const TEXTS = [
  "owner",
  "sessionId",
  "startTicks",
  "mark",
  "containment",
  "command",
  "cwd",
] as const;

function readTexts(value: unknown): Record<(typeof TEXTS)[number], string> | undefined {
  const [owner, sessionId, startTicks, mark, containment, command, cwd] = TEXTS.map((name) =>
    textIn(value, name),
  );
  if (owner === undefined || sessionId === undefined || startTicks === undefined) return undefined;
  if (mark === undefined || containment === undefined) return undefined;
  if (command === undefined || cwd === undefined) return undefined;
  return { owner, sessionId, startTicks, mark, containment, command, cwd };
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const found = read(value, name);
  return typeof found === "string" ? found : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const found = read(value, name);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
