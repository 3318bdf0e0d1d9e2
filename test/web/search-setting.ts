// web_search on a clock that never makes anybody wait, with the real network driver.
import type { Environment, SearchProvider, ToolResult } from "clawtools";
import { onTestFinished } from "vitest";
import { type Clock, ToolRegistryBase } from "../../src/core/index.js";
import { createNet } from "../../src/drivers/net/index.js";
import { webSearch } from "../../src/tools/web_search/index.js";

/** Longer waits are limits of a call, and never come. */
const MAX_SKIPPED_MS = 60_000;
export const NOW_MS = Date.parse("2026-03-01T12:00:00Z");

export interface HastyClock extends Clock {
  /** How long somebody would have waited, in order. */
  readonly waits: readonly number[];
  advance(byMs: number): void;
}

function createHastyClock(): HastyClock {
  const waits: number[] = [];
  let nowMs = NOW_MS;
  return {
    waits,
    now: () => nowMs,
    after(delayMs, work) {
      let isCancelled = false;
      if (delayMs <= MAX_SKIPPED_MS) {
        waits.push(delayMs);
        queueMicrotask(() => {
          if (isCancelled) return;
          nowMs += delayMs;
          work();
        });
      }
      return () => {
        isCancelled = true;
      };
    },
    advance(byMs) {
      nowMs += byMs;
    },
  };
}

export interface SearchSetting {
  readonly clock: HastyClock;
  search(params?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>;
}

export interface SearchOptions {
  /** `tools.web.search`. */
  readonly search?: object;
  readonly variables?: Readonly<Record<string, string>>;
  readonly providers?: readonly SearchProvider[];
  readonly limits?: object;
}

export function toEnvironment(variables: Readonly<Record<string, string>>): Environment {
  return { read: (name) => variables[name] };
}

export function startSearch(options: SearchOptions = {}): SearchSetting {
  const { search = {}, variables = {}, providers = [], limits = {} } = options;
  const clock = createHastyClock();
  const net = createNet();
  onTestFinished(() => net.close());
  const random = { hex: (byteCount: number) => "0".repeat(byteCount * 2) };
  const registry = new ToolRegistryBase({
    ports: { clock, random, guard: { run: (work) => work() } },
  });
  registry.register(webSearch);
  const tool = registry.resolve("web_search", {
    net,
    config: { tools: { web: { search } }, limits },
    environment: toEnvironment(variables),
    searchProviders: providers,
  });
  if (!tool) throw new Error("web_search did not resolve.");
  return {
    clock,
    search: (params = {}, signal = undefined) =>
      tool.execute("call_1", { query: "otters", ...params }, signal),
  };
}

export function textOf({ content }: Pick<ToolResult, "content">): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
