// `clawtools mcp` in a child process, with a home, a state folder and a root of its own.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { BIN } from "../cli/run-cli.js";
import { assertBuilt } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { createHandClient, type HandClient } from "./hand-client.js";

export interface Place {
  readonly root: string;
  readonly stateDir: string;
  /** For `clawtools mcp`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ChildServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Made when it is first asked for. */
  readonly client: HandClient;
  /** All that was written to stderr so far. */
  errors(): string;
  readonly ended: Promise<number | null>;
}

export async function makePlace(
  files: Record<string, string> = {},
  config: object = { tools: { exec: { host: "gateway", security: "full", ask: "off" } } },
): Promise<Place> {
  const inRoot = Object.entries(files).map(([name, text]) => [join("root", name), text]);
  const folder = await createTempFolder({
    "root/.keep": "",
    ...Object.fromEntries(inRoot),
    "state/clawtools.json": JSON.stringify(config),
  });
  const root = join(folder, "root");
  const stateDir = join(folder, "state");
  return {
    root,
    stateDir,
    args: [BIN, "mcp", "--root", root, "--state-dir", stateDir],
    env: {
      HOME: folder,
      PATH: process.env.PATH ?? "",
      CLAWTOOLS_CONFIG_PATH: join(stateDir, "clawtools.json"),
    },
  };
}

/** Killed when the test ends, should it still run. */
export async function startChild(
  { args, env }: Place,
  more: readonly string[] = [],
): Promise<ChildServer> {
  await assertBuilt();
  const child = spawn(process.execPath, [...args, ...more], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  let client: HandClient | undefined;
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    get client() {
      client ??= createHandClient({ from: child.stdout, to: child.stdin });
      return client;
    },
    errors: () => text,
    ended,
  };
}
