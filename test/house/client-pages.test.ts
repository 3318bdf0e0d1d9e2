// The pages of docs/clients: what is typed and printed is real, and the recorded session is what the
// server that the client would start says.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { BIN, createSandbox, type Sandbox } from "../cli/run-cli.js";
import { PROJECT_DIR } from "../fakes/run-node.js";

const FOLDER = join(PROJECT_DIR, "docs", "clients");
const PAGES = readdirSync(FOLDER).map(
  (name) => [name, readFileSync(join(FOLDER, name), "utf8")] as const,
);
const ELIDED = "…";

/** As it would be on the machine of the page. */
function toPage(text: string, { folder, root }: Sandbox): string {
  return text
    .replaceAll(root, "/home/ada/project")
    .replaceAll(folder, "/home/ada")
    .replaceAll(BIN, "/home/ada/clawtools/dist/cli/bin.js")
    .replaceAll(process.execPath, "/usr/bin/node");
}

const flatten = (text: string) => text.replace(/\s+/g, " ").trim();

/** What the page leaves out is left out of the answer too. */
function elide(shown: unknown, real: unknown): unknown {
  if (shown === ELIDED) return ELIDED;
  if (Array.isArray(shown) && Array.isArray(real)) {
    const rest = shown.at(-1) === ELIDED ? shown.slice(0, -1) : undefined;
    const seen = (rest ?? shown).map((item, index) => elide(item, real[index]));
    return rest === undefined && shown.length !== real.length
      ? real
      : [...seen, ...(rest ? [ELIDED] : [])];
  }
  if (typeof shown !== "object" || shown === null || typeof real !== "object" || real === null)
    return real;
  return Object.fromEntries(
    Object.entries(real).map(([key, value]) => [
      key,
      Object.hasOwn(shown, key) ? elide(Reflect.get(shown, key), value) : value,
    ]),
  );
}

type Server = ChildProcessByStdio<Writable, Readable, null>;

function startServer({ env }: Sandbox, entry: { command: string; args: string[] }): Server {
  return spawn(entry.command, entry.args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
}

describe.each(PAGES)("docs/clients/%s", (_, page) => {
  const client = /mcp install --client (\S+)/.exec(page)?.[1] ?? "";
  const commands = [...page.matchAll(/```console\n\$ clawtools (.+)\n([\s\S]*?)```/g)];
  const [, file = "", written = ""] =
    /`([^`]+)` then has:\n\n```json\n([\s\S]*?)```/.exec(page) ?? [];
  const session = /```jsonrpc\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

  it("shows what is typed and what is printed", async () => {
    expect(commands.length).toBeGreaterThan(0);
    for (const [, command = "", output = ""] of commands) {
      const sandbox = await createSandbox();
      const { stdout, stderr } = await sandbox.runHere(...command.split(" "));
      expect(stderr).toBe("");
      expect(flatten(toPage(stdout, sandbox))).toBe(flatten(output));
    }
  });

  it("shows what is in the file then", async () => {
    const sandbox = await createSandbox();
    await sandbox.runHere("mcp", "install", "--client", client, "--write");
    const text = await readFile(join(sandbox.root, file), "utf8");
    expect(toPage(text, sandbox)).toBe(written);
  });

  it("shows a session as the server really answers it", async () => {
    const sandbox = await createSandbox({ files: { "notes.txt": "buy milk\ncall Bob\n" } });
    const run = await sandbox.runHere("mcp", "install", "--client", client, "--json");
    const { config } = JSON.parse(run.stdout);
    const [servers]: { clawtools: { command: string; args: string[] } }[] = Object.values(config);
    if (servers === undefined) throw new Error("no server in the configuration");
    const server = startServer(sandbox, servers.clawtools);
    const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    try {
      for (const line of session.trim().split("\n")) {
        const [arrow, text] = [line.slice(0, 1), line.slice(2)];
        if (arrow === "→") {
          server.stdin.write(`${text}\n`);
          continue;
        }
        const shown: unknown = JSON.parse(text);
        const { value = "" } = await answers.next();
        expect(elide(shown, JSON.parse(toPage(value, sandbox)))).toEqual(shown);
      }
    } finally {
      server.kill("SIGKILL");
    }
  });
});
