// The ports that every call has: clock, randomness, environment and time guard, with their defaults.

import type { ToolContext } from "../tool.js";
import type { Browsers } from "./browser.js";
import type { Images } from "./images.js";
import type { Memory } from "./memory.js";
import type { Net } from "./net.js";
import type { Processes } from "./processes.js";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `work` once after `delayMs`; the returned function takes it back. */
  after(delayMs: number, work: () => void): () => void;
}

export interface RandomSource {
  /** `byteCount` random bytes as lower-case hex. */
  hex(byteCount: number): string;
}

export interface Environment {
  /** Only what is asked for by its name; undefined when it is not set or blank. */
  read(name: string): string | undefined;
}

export interface TimeGuard {
  /** Runs `work` and returns its value; throws a ToolError `limit` when it takes longer. */
  run<T>(work: () => T, limitMs: number): T;
}

const MOMENT_MS = 50;

interface Timed {
  readonly timeoutMs?: number | undefined;
}

export function createCountdown<Limits extends Timed>(
  limits: Limits,
  now: () => number,
): () => Limits {
  const { timeoutMs } = limits;
  if (timeoutMs === undefined) return () => limits;
  const beganMs = now();
  return () => {
    const passedMs = now() - beganMs;
    return passedMs < MOMENT_MS
      ? limits
      : { ...limits, timeoutMs: Math.max(0, timeoutMs - passedMs) };
  };
}

export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly guard: TimeGuard;
  /** How implementations are loaded: with what the machine needs for it. Default: simply so. */
  readonly load?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** For contexts that bring none of their own. */
  readonly images?: Images;
  readonly environment?: Environment;
  /** The same; asked for when a tool looks for it. Throws a ToolError where there can be none. */
  readonly processes?: (ctx: ToolContext) => Processes;
  /** The same. */
  readonly net?: (ctx: ToolContext) => Net;
  /** The same. */
  readonly memory?: (ctx: ToolContext) => Memory;
  /** The same. */
  readonly browsers?: (ctx: ToolContext) => Browsers;
}

interface ContextDefaults extends Pick<RunPorts, "images" | "environment" | "guard"> {
  readonly processes: Processes | undefined;
  readonly net: Net | undefined;
  readonly memory: Memory | undefined;
  readonly browsers: Browsers | undefined;
  readonly offers: (toolName: string) => boolean;
}

/** Behind the context, so that anyone who looks at the whole of it sees what the caller gave. */
export function defaultsOf(
  ports: RunPorts,
  { ctx, offers }: { readonly ctx: ToolContext; readonly offers: ContextDefaults["offers"] },
): ContextDefaults {
  return {
    guard: ports.guard,
    ...(ports.images ? { images: ports.images } : {}),
    ...(ports.environment ? { environment: ports.environment } : {}),
    get processes() {
      return ports.processes?.(ctx);
    },
    get net() {
      return ports.net?.(ctx);
    },
    get memory() {
      return ports.memory?.(ctx);
    },
    get browsers() {
      return ports.browsers?.(ctx);
    },
    offers,
  };
}
