// The questions of `clawtools configure`, asked of a person at a terminal.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandCall } from "../../command.js";
import { createStyle } from "../../terminal/style.js";
import { command } from "./configure.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clawtools-configure-"));
});
afterEach(() => rm(folder, { recursive: true }));

const PLAIN = createStyle({ isTerminal: false, env: {}, args: [] });
const INTERRUPT = Symbol("Ctrl-C");

/** A person who types these lines; then the input ends. */
async function configure(
  lines: readonly (string | typeof INTERRUPT)[],
  texts: Record<string, string> = {},
): Promise<{ asked: string[]; printed: string[]; exitCode: number; left: unknown[] }> {
  const stop = new AbortController();
  const asked: string[] = [];
  const printed: string[] = [];
  const left = [...lines];
  const call: CommandCall = {
    words: [],
    texts,
    switches: new Set(),
    output: {
      isTerminal: true,
      style: PLAIN,
      print: (line) => void printed.push(line),
      write: (text) => void printed.push(text),
      warn: (line) => void printed.push(line),
      progress: () => undefined,
    },
    place: { env: { BRAVE_API_KEY: "secret" }, homeDir: folder, cwd: folder },
    root: folder,
    width: 80,
    ownCommand: "clawtools",
    groups: {},
    input: Readable.from([]),
    isInteractive: true,
    openTerminal: async () => ({
      width: 80,
      style: PLAIN,
      write: (line) => void asked.push(line),
      async readLine(signal) {
        const line = left.shift();
        if (line !== INTERRUPT) return line;
        stop.abort();
        throw signal.reason;
      },
      close: () => undefined,
    }),
    untilStopped: (work) => work(stop.signal),
  };
  return { exitCode: await command.run(call), asked, printed, left };
}

/** Without the lines that say what the choices mean. */
const questions = (asked: readonly string[]) => asked.filter((line) => line.endsWith(":"));

async function readConfig(): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, ".clawtools", "clawtools.json"), "utf8"));
}

describe("clawtools configure at a terminal", () => {
  it("asks for the section and then its questions; Enter takes what is offered", async () => {
    const { asked, exitCode } = await configure(["web", "", "", ""]);
    expect(exitCode).toBe(0);
    expect(questions(asked)).toEqual([
      "Which part (tools, web, exec, memory):",
      "Who searches (brave, perplexity, firecrawl, searxng, duckduckgo) [brave]:",
      "Name of the environment variable that holds the key [BRAVE_API_KEY]:",
      "Results when a call does not say how many [5]:",
    ]);
    const reference = ["$", "{BRAVE_API_KEY}"].join("");
    expect(await readConfig()).toEqual({
      tools: { web: { search: { provider: "brave", apiKey: reference } } },
    });
  });

  it("asks again after an answer that cannot be one, with what can", async () => {
    const { asked, left } = await configure(["", "", "", "sometimes", "always"], {
      section: "exec",
    });
    expect(left).toEqual([]);
    const question =
      "When a person is asked (off, on-miss, always) [off in a sandbox, else on-miss]:";
    expect(asked.slice(-3)).toEqual([
      question,
      "It must be one of off, on-miss, always.",
      question,
    ]);
    // What Enter left alone is not written, its default neither.
    expect(await readConfig()).toEqual({ tools: { exec: { ask: "always" } } });
  });

  it("asks again for the section, and says what each is", async () => {
    const { asked, exitCode } = await configure(["", "shell", "tools", "coding"]);
    expect(exitCode).toBe(0);
    expect(questions(asked).slice(0, 3)).toEqual(
      Array(3).fill("Which part (tools, web, exec, memory):"),
    );
    expect(asked.join("\n")).toMatch(/exec +Commands: what contains them/);
    expect(asked).toContain("It must be one of tools, web, exec, memory.");
  });

  it("says what holds where nothing is set, and what each choice means", async () => {
    const { asked } = await configure(["", "", "", ""], { section: "exec" });
    expect(questions(asked)).toEqual([
      "What contains commands (auto, bwrap, none) [auto]:",
      "May commands in the sandbox use the network (on, off) [off]:",
      "What may run (deny, allowlist, full) [full in a sandbox, else allowlist]:",
      "When a person is asked (off, on-miss, always) [off in a sandbox, else on-miss]:",
    ]);
    const text = asked.join("\n");
    for (const choice of ["deny", "allowlist", "full"]) {
      expect(text).toMatch(new RegExp(`^ +${choice} +\\S.{10,}`, "m"));
    }
  });

  it("takes no search provider that nobody knows; ? explains them", async () => {
    const lines = ["?", "brav", "duckduckgo", ""];
    const { asked, left } = await configure(lines, { section: "web" });
    expect(left).toEqual([]);
    const text = asked.join(" ").replace(/\s+/g, " ");
    expect(text).toContain("Ctrl-C leaves without a change.");
    expect(text.split("a SearXNG server of yours")).toHaveLength(3);
    expect(text).toContain('"brav" may be meant for brave.');
    expect(await readConfig()).toEqual({ tools: { web: { search: { provider: "duckduckgo" } } } });
  });

  it("is left by Ctrl-C with nothing changed", async () => {
    const run = configure(["web", INTERRUPT]);
    await expect(run).rejects.toMatchObject({ message: "Nothing was changed.", exitCode: 130 });
    await expect(readConfig()).rejects.toThrow("ENOENT");
  });

  it("asks nothing when the flags say enough", async () => {
    const { asked } = await configure([], { section: "tools", profile: "full" });
    expect(asked).toEqual([]);
  });

  it("offers what the config says now", async () => {
    await configure([], { section: "tools", profile: "messaging" });
    const { asked, printed } = await configure([""], { section: "tools" });
    expect(questions(asked)).toEqual([
      "Which set of tools (minimal, coding, messaging, full) [messaging]:",
    ]);
    expect(printed.join(" ")).toContain("already says so");
  });

  it("changes nothing when the input ends", async () => {
    for (const texts of [{ section: "exec" }, {}]) {
      const { printed } = await configure([], texts);
      expect(printed).toEqual(["Nothing was changed."]);
    }
  });
});
