// `gateway start`, `stop` and `uninstall`: a user service where systemd serves this user, else a
// background process. The state folder names the process that holds it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { stateDir } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { type FolderOwner, readFolderOwner } from "../../../drivers/store/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { makeFolder } from "../../../lib/make-folder.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG, readWhole } from "../../flags.js";
import { readClientConfig } from "../../usable-config.js";
import { pause } from "../approvals/line-reader.js";
import { findSystemd } from "./systemd.js";
import { MAX_PORT } from "./with-gateway.js";

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const POLL_MS = 50;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const MAX_COMPLAINT_CHARS = 4_000;

export const start: Command = {
  notes: [
    "As a user service where `systemctl --user` works; it starts again at each login. Elsewhere as a background process.",
    "On macOS and Windows run `clawtools gateway` in a terminal instead.",
  ],
  flags: { "--port PORT": "Port to listen on (default `gateway.port`, else 18789).", ...JSON_FLAG },
  async run(call) {
    const folder = stateDir(call.place);
    const running = readFolderOwner(folder);
    if (running?.url !== undefined) return await tellRunning(call, running, "already ");
    const systemd = await findSystemd(call);
    if (systemd) {
      await systemd.install(toCommand(call));
      const isStarted = () => readFolderOwner(folder)?.url !== undefined;
      await waitUntil(isStarted, { limitMs: START_LIMIT_MS, late: () => slowStart(systemd.name) });
    } else {
      const code = await startInBackground(call, folder);
      if (code !== undefined) return code;
    }
    return await tellRunning(call, readFolderOwner(folder));
  },
};

export const stop: Command = {
  flags: JSON_FLAG,
  async run(call) {
    const wasRunning = await stopGateway(call);
    return show(call, { stopped: wasRunning }, () => [
      wasRunning ? "The gateway is stopped." : "The gateway is not running.",
    ]);
  },
};

export const uninstall: Command = {
  notes: ["Stops the gateway and removes its service. Config and state stay."],
  flags: JSON_FLAG,
  async run(call) {
    await stopGateway(call);
    const systemd = await findSystemd(call);
    const removed = systemd?.isInstalled === true ? systemd.name : null;
    if (removed !== null) await systemd?.remove();
    return show(call, { service: removed }, () => [
      removed === null ? "No service is installed." : `Removed ${removed}.`,
      `Config and state stay in ${stateDir(call.place)}.`,
    ]);
  },
};

function toCommand(call: CommandCall): string[] {
  const { path, cwd } = call.place;
  const port = readWhole(call, "port", { max: MAX_PORT });
  return [
    process.execPath,
    realpathSync(process.argv[1] ?? ""),
    ...["--root", call.root, "--state-dir", stateDir(call.place)],
    ...(path === undefined ? [] : ["--config", resolve(cwd, path)]),
    "gateway",
    ...(port === undefined ? [] : ["--port", String(port)]),
  ];
}

/** The exit code of a gateway that did not start; undefined when it serves. */
async function startInBackground(call: CommandCall, folder: string): Promise<number | undefined> {
  if (process.platform === "darwin" || process.platform === "win32") {
    throw new ToolError(
      "unavailable",
      "`clawtools gateway start` works on Linux only. Run `clawtools gateway` in a terminal.",
      { reason: "service_unavailable" },
    );
  }
  const [program = "", ...args] = toCommand(call);
  const { file, complaints } = await openComplaints(folder);
  const child = spawn(program, args, {
    cwd: call.root,
    detached: true,
    env: call.place.env,
    stdio: ["ignore", "ignore", complaints.fd],
  });
  try {
    await once(child, "spawn");
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    const serves = () => {
      const owner = readFolderOwner(folder);
      return owner?.pid === child.pid && owner?.url !== undefined;
    };
    await waitUntil(() => isOver() || serves(), {
      limitMs: START_LIMIT_MS,
      late: () => slowStart(file),
    });
    if (!isOver()) return undefined;
    call.output.warn(toPrintable((await readFile(file, "utf8")).trim(), MAX_COMPLAINT_CHARS));
    return child.exitCode ?? 1;
  } finally {
    child.unref();
    await complaints.close();
  }
}

async function openComplaints(folder: string) {
  const file = join(folder, "logs", "gateway-start.log");
  try {
    await makeFolder(dirname(file), FOLDER_MODE);
    return { file, complaints: await open(file, "w", FILE_MODE) };
  } catch (cause) {
    const why = errnoOf(cause) || String(cause);
    throw new ToolError(
      "unavailable",
      `The state folder "${toPrintable(folder, 4_096)}" cannot be written (${why}). Choose another one with --state-dir.`,
      { reason: "state_unwritable", cause },
    );
  }
}

/** False when it was not running. */
async function stopGateway(call: CommandCall): Promise<boolean> {
  const folder = stateDir(call.place);
  const owner = readFolderOwner(folder);
  const systemd = await findSystemd(call);
  if (systemd?.isInstalled) await systemd.stop();
  if (owner === undefined) return false;
  if (!owner.isLocal) {
    throw new ToolError(
      "unavailable",
      `The gateway runs in another container (pid ${owner.pid} there). Stop it there.`,
      { reason: "gateway_elsewhere" },
    );
  }
  const isGone = () => readFolderOwner(folder)?.mark !== owner.mark;
  if (!isGone()) process.kill(owner.pid, "SIGTERM");
  await waitUntil(isGone, { limitMs: STOP_LIMIT_MS, late: () => slowStop(owner.pid) });
  return true;
}

async function waitUntil(
  isDone: () => boolean,
  { limitMs, late }: { readonly limitMs: number; readonly late: () => Error },
): Promise<void> {
  const { signal } = new AbortController();
  for (let waitedMs = 0; !isDone(); waitedMs += POLL_MS) {
    if (waitedMs >= limitMs) throw late();
    await pause(POLL_MS, signal);
  }
}

async function tellRunning(
  call: CommandCall,
  owner: FolderOwner | undefined,
  already = "",
): Promise<number> {
  await readClientConfig(call, { isRunning: true });
  const { url, pid } = owner ?? {};
  return show(call, { url, pid }, () => [
    `The gateway is ${already}running at ${url} (pid ${pid}).`,
  ]);
}

function slowStart(where: string): ToolError {
  const seconds = START_LIMIT_MS / 1_000;
  const hint = where.endsWith(".service") ? `\`journalctl --user -u ${where}\`` : where;
  return new ToolError("timeout", `The gateway did not start within ${seconds} s. See ${hint}.`, {
    reason: "service_slow",
  });
}

function slowStop(pid: number): ToolError {
  return new ToolError(
    "timeout",
    `The gateway (pid ${pid}) did not stop within ${STOP_LIMIT_MS / 1_000} s. End it with \`kill -9 ${pid}\`.`,
    { reason: "service_slow" },
  );
}
