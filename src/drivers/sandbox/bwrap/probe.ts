// Tries to leave the sandbox from inside, with the very line that commands are started with. A
// sandbox that any attempt leaves, or that does not run all of them, is none.

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Containment } from "../../../core/index.js";
import { probeScript } from "./probe-script.js";

const MAX_PROBE_MS = 5_000;
const MAX_PROBE_OUTPUT_BYTES = 64 * 1_024;
const TOKEN_BYTES = 12;

export interface ProbeRequest {
  readonly containment: Containment;
  readonly bash: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Why this is no sandbox; undefined when it held. */
export async function probeSandbox(request: ProbeRequest): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy());
  let connections = 0;
  server.on("connection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const problem = await runProbe(request, port);
    return connections > 0 ? "a connection to this machine went through" : problem;
  } finally {
    server.close();
  }
}

function runProbe(request: ProbeRequest, port: number): Promise<string | undefined> {
  const { containment, bash, root, env } = request;
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const script = probeScript({ token, port, hostPid: process.pid });
  const { file, args, cwd } = containment.enclose({
    argv: [bash, "--noprofile", "--norc", "-p", "-c", `${containment.limitScript}\n${script}`],
    cwd: root,
    env,
    isTerminal: false,
    allowsNetwork: false,
  });
  const options = {
    cwd,
    env: { ...env },
    timeout: MAX_PROBE_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_PROBE_OUTPUT_BYTES,
  } as const;
  return new Promise((resolve) => {
    execFile(file, [...args], options, (error, stdout, stderr) => {
      const lines = stdout.split("\n").filter((line) => line !== "");
      const escaped = lines.find((line) => line !== `held ${token}`);
      if (escaped !== undefined) resolve(escaped);
      else if (lines.length === 1 && error === null) resolve(undefined);
      else resolve(firstLine(stderr) ?? error?.message ?? "the attempt did not end");
    });
  });
}

function firstLine(text: string): string | undefined {
  const line = text.trim().split("\n")[0];
  return line === "" ? undefined : line;
}
