// A row of the ledger as it is in the store; what cannot be read as one is not a row.

import { readField, readNumber, readText } from "../../../lib/read-field.js";

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
  /** Anyone who asked for it was informed that it goes on. */
  readonly isBackground: boolean;
}

export function parseLedgerRow(value: unknown): LedgerRow | undefined {
  const texts = readTexts(value);
  const pid = readNumber(value, "pid");
  const startedAtMs = readNumber(value, "startedAtMs");
  if (texts === undefined || pid === undefined || startedAtMs === undefined) return undefined;
  return {
    ...texts,
    pid,
    startedAtMs,
    agentId: readText(value, "agentId"),
    sessionKey: readText(value, "sessionKey"),
    logPath: readText(value, "logPath"),
    isBackground: readField(value, "isBackground") === true,
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
    readText(value, name),
  );
  if (owner === undefined || sessionId === undefined || startTicks === undefined) return undefined;
  if (mark === undefined || containment === undefined) return undefined;
  if (command === undefined || cwd === undefined) return undefined;
  return { owner, sessionId, startTicks, mark, containment, command, cwd };
}
