// The questions of `clawtools configure`, asked of a person at a terminal.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandCall } from "../command-call.js";
import { run } from "./configure.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clawtools-configure-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A person who types these lines; then the input ends. */
async function configure(
  lines: readonly string[],
  texts: Record<string, string> = {},
): Promise<{ asked: string[]; printed: string[]; exitCode: number }> {
  const asked: string[] = [];
  const printed: string[] = [];
  const left = [...lines];
  const call: CommandCall = {
    words: [],
    texts,
    switches: new Set(),
    output: {
      isTerminal: true,
      print: (line) => void printed.push(line),
      warn: (line) => void printed.push(line),
      progress: () => undefined,
    },
    place: { env: { BRAVE_API_KEY: "secret" }, homeDir: folder, cwd: folder },
    root: folder,
    width: 80,
    input: Readable.from([]),
    isInteractive: true,
    openTerminal: async () => ({
      width: 80,
      write: (line) => void asked.push(line),
      readLine: async () => left.shift(),
      close: () => undefined,
    }),
    untilStopped: (work) => work(new AbortController().signal),
  };
  return { exitCode: await run(call), asked, printed };
}

async function readConfig(): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, ".clawtools", "clawtools.json"), "utf8"));
}

describe("clawtools configure at a terminal", () => {
  it("asks for the section and then its questions; Enter takes what is offered", async () => {
    const { asked, exitCode } = await configure(["web", "", "", ""]);
    expect(exitCode).toBe(0);
    expect(asked).toEqual([
      "Which part (tools, web, exec, memory) [Enter: as it is]:",
      "Who searches (brave, perplexity, firecrawl, searxng, duckduckgo) [brave]:",
      "Name of the environment variable that holds the key [BRAVE_API_KEY]:",
      "Results when a call does not say how many [Enter: as it is]:",
    ]);
    const reference = ["$", "{BRAVE_API_KEY}"].join("");
    expect(await readConfig()).toEqual({
      tools: { web: { search: { provider: "brave", apiKey: reference } } },
    });
  });

  it("asks again after an answer that cannot be one, with what can", async () => {
    const { asked } = await configure(["sometimes", "always"], {
      section: "exec",
      sandbox: "auto",
      network: "off",
      security: "full",
    });
    expect(asked).toEqual([]);
    await configure(["huge", "coding"], { section: "tools" });
    expect(await readConfig()).toMatchObject({ tools: { profile: "coding" } });
  });

  it("asks nothing when the flags say enough", async () => {
    const { asked } = await configure([], { section: "tools", profile: "full" });
    expect(asked).toEqual([]);
  });

  it("offers what the config says now", async () => {
    await configure([], { section: "tools", profile: "messaging" });
    const { asked, printed } = await configure([""], { section: "tools" });
    expect(asked).toEqual(["Which set of tools (minimal, coding, messaging, full) [messaging]:"]);
    expect(printed.join(" ")).toContain("says so already");
  });

  it("changes nothing when the input ends", async () => {
    const { printed } = await configure([], { section: "exec" });
    expect(printed).toEqual(["Nothing was changed."]);
  });
});
