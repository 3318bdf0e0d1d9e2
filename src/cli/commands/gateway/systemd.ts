// The gateway as a user service of systemd: its unit file, and the calls of `systemctl --user`.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stateDir } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { readText } from "../../../lib/read-field.js";
import type { CommandCall } from "../../command.js";

const SYSTEMCTL_LIMIT_MS = 60_000;
const HASH_CHARS = 8;
/** Bad config and a state folder that is in use do not get better by trying again. */
const FINAL_EXIT_CODES = "2 6";

/** undefined where this user has no systemd. */
export async function findSystemd(call: CommandCall) {
  const { env, homeDir = "/" } = call.place;
  const systemctl = async (...args: string[]) => {
    await promisify(execFile)("systemctl", ["--user", ...args], {
      env,
      timeout: SYSTEMCTL_LIMIT_MS,
    });
  };
  try {
    await systemctl("show-environment");
  } catch {
    // Not installed, or this user has no session that it could serve.
    return undefined;
  }
  const run = async (...args: string[]) => {
    await systemctl(...args).catch((cause: unknown) => {
      const why = readText(cause, "stderr")?.trim() ?? String(cause);
      const message = `systemctl --user ${args.join(" ")} failed: ${why}`;
      throw new ToolError("failed", message, { reason: "service_failed", cause });
    });
  };
  const name = unitName(call);
  const folder = env.XDG_CONFIG_HOME || join(homeDir, ".config");
  const file = join(folder, "systemd", "user", name);
  return {
    name,
    isInstalled: existsSync(file),
    /** Writes the unit and starts it, now and at each login. */
    async install(command: readonly string[]) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, formatUnit(command));
      await run("daemon-reload");
      await run("enable", "--now", name);
    },
    stop: () => run("stop", name),
    async remove() {
      await run("disable", "--now", name);
      await rm(file, { force: true });
      await run("daemon-reload");
    },
  };
}

/** Each state folder has a gateway of its own. */
function unitName({ place }: CommandCall): string {
  const folder = stateDir(place);
  if (folder === stateDir({ ...place, env: {} })) return "clawtools-gateway.service";
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, HASH_CHARS);
  return `clawtools-gateway-${hash}.service`;
}

function formatUnit(command: readonly string[]): string {
  // systemd reads C escapes in quotes, and gives % and $ a meaning of their own.
  const quote = (word: string) =>
    JSON.stringify(word)
      .replaceAll("%", "%%")
      .replaceAll("$", () => "$$");
  return [
    "[Unit]",
    "Description=clawtools gateway",
    "After=network.target",
    "",
    "[Service]",
    `ExecStart=${command.map(quote).join(" ")}`,
    "Restart=on-failure",
    "RestartSec=2",
    `RestartPreventExitStatus=${FINAL_EXIT_CODES}`,
    "KillMode=mixed",
    "TimeoutStopSec=20",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
}
