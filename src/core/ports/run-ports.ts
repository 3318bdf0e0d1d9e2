// What calls run on: the ports of this machine, and those that stand in where a context brings none.

import type { ToolContext } from "../tool.js";
import type { Browsers } from "./browser.js";
import type { Clock, RandomSource } from "./clock.js";
import type { Environment } from "./environment.js";
import type { Images } from "./images.js";
import type { Memory } from "./memory.js";
import type { Net } from "./net.js";
import type { Processes } from "./processes.js";
import type { TimeGuard } from "./time-guard.js";

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
