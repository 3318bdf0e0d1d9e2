// Tries to leave the sandbox from inside, with the very line that commands are started with. A
// sandbox that any attempt leaves, or that does not run all of them, is none.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { Duplex } from "node:stream";
import type { Containment, EnclosedCommand } from "../../../core/index.js";
import { closeDescriptorsFrom } from "../../../lib/system/close-descriptors.js";
import { callFilter } from "./call-filter.js";
import { probeScript } from "./probe-script.js";

const MAX_PROBE_MS = 5_000;
const MAX_PROBE_OUTPUT_BYTES = 64 * 1_024;
const TOKEN_BYTES = 12;
const LIMIT = /ulimit -(\w) (\d+)/g;
/** What a command has: its input and its two outputs. */
const STANDARD_FDS = 3;

export interface ProbeRequest {
  readonly containment: Containment;
  readonly bash: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Why this is no sandbox; undefined when it held. */
export async function probeSandbox(request: ProbeRequest): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    // Connections are not counted: any program of this machine may try the port.
    return await runProbe(request, port);
  } finally {
    server.close();
  }
}

function runProbe(request: ProbeRequest, port: number): Promise<string | undefined> {
  const { containment, bash, root, env } = request;
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const before = `${closeDescriptorsFrom(STANDARD_FDS)}\n${containment.limitScript}`;
  const isFiltered = callFilter(process.arch) !== undefined;
  const limits = [...containment.limitScript.matchAll(LIMIT)].map(
    ([, flag = "", value = ""]) => [flag, value] as const,
  );
  const { script, attempts } = probeScript({
    ...{ token, port, hostPid: process.pid, isFiltered, limits },
  });
  const inside = containment.enclose({
    argv: [bash, "--noprofile", "--norc", "-p", "-c", `${before}\n${script}`],
    cwd: root,
    env,
    isTerminal: false,
    allowsNetwork: false,
  });
  return runInside(inside).then(({ stdout, stderr, ending }) => {
    const lines = stdout.split("\n").filter((line) => line !== "");
    const escaped = lines.find((line) => !line.startsWith(`held ${token} `));
    if (escaped !== undefined) return escaped;
    const isWhole = lines.length === 1 && lines[0] === `held ${token} ${attempts}`;
    if (isWhole && ending === undefined) return undefined;
    return firstLine(stderr) ?? ending ?? "not all attempts to leave it could be made";
  });
}

interface Attempted {
  readonly stdout: string;
  readonly stderr: string;
  /** How it ended, when not well. */
  readonly ending: string | undefined;
}

/** Never rejected. */
function runInside({ file, args, cwd, env, given }: EnclosedCommand): Promise<Attempted> {
  return new Promise((resolve) => {
    const between = Array.from(
      { length: (given?.descriptor ?? 0) - STANDARD_FDS },
      () => "ignore" as const,
    );
    const child = spawn(file, [...args], {
      cwd,
      env: { ...env },
      timeout: MAX_PROBE_MS,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe", ...(given ? [...between, "pipe" as const] : [])],
    });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.on("data", (bytes: Buffer) => {
        if (texts[name].length < MAX_PROBE_OUTPUT_BYTES) texts[name] += bytes.toString("utf8");
      });
    }
    const pipe = given && child.stdio[given.descriptor];
    if (pipe instanceof Duplex) {
      // What became of it is told by how the attempt ends.
      pipe.on("error", () => undefined);
      pipe.end(given?.bytes, () => pipe.destroy());
    }
    child.once("error", (error) => resolve({ ...texts, ending: error.message }));
    child.once("close", (code, signal) => {
      resolve({ ...texts, ending: code === 0 ? undefined : `it ended with ${signal ?? code}` });
    });
  });
}

function firstLine(text: string): string | undefined {
  const line = text.trim().split("\n")[0];
  return line === "" ? undefined : line;
}
