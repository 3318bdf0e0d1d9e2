// `gateway start`, `stop` and `uninstall` with real processes, and with a stand-in for systemctl.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROJECT_DIR, runNode } from "../fakes/run-node.js";
import { BIN, createSandbox, INSTALLED_PATH, type Sandbox } from "./run-cli.js";

const UNIT = ".config/systemd/user/clawtools-gateway.service";

/** A systemctl that notes its arguments; `body` says what it does. */
async function withSystemctl(body: string): Promise<Sandbox> {
  const sandbox = await createSandbox({ config: {} });
  const folder = join(sandbox.folder, "bin");
  mkdirSync(folder);
  const file = join(folder, "systemctl");
  writeFileSync(file, `#!/bin/sh\necho "$*" >> ${sandbox.folder}/calls\n${body}\n`);
  chmodSync(file, 0o755);
  const env = { ...sandbox.env, PATH: `${folder}:${INSTALLED_PATH}` };
  const run = (...args: string[]) => runNode([BIN, "--root", sandbox.root, ...args], env);
  return { ...sandbox, env, run };
}

const noSystemd = () => withSystemctl("exit 1");

describe("without systemd", () => {
  it("start runs the gateway in the background, status finds it on any port, stop ends it", async () => {
    const { run, folder } = await noSystemd();
    onTestFinished(async () => void (await run("gateway", "stop")));
    const started = await run("gateway", "start", "--port", "0", "--json");
    expect(started).toMatchObject({ exitCode: 0, stderr: "" });
    const { url, pid } = JSON.parse(started.stdout);
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect((await run("status")).stdout).toContain(`${url} (pid ${pid})`);
    const again = await run("gateway", "start");
    expect(again.stdout).toBe(`The gateway is already running at ${url} (pid ${pid}).\n`);
    expect(statSync(join(folder, ".clawtools/owner.json")).mode & 0o777).toBe(0o600);
    expect((await run("gateway", "stop")).stdout).toBe("The gateway is stopped.\n");
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await run("gateway", "stop")).stdout).toBe("The gateway is not running.\n");
    await expect.poll(async () => (await run("status")).exitCode).toBe(8);
  });

  it("start says why the gateway did not start, with its exit code", async () => {
    const { run, configFile } = await noSystemd();
    writeFileSync(configFile, '{ "gateway": { "bind": "somewhere" } }');
    const { exitCode, stderr } = await run("gateway", "start");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("gateway.bind");
  });

  it("start and status say that a broken config is not used, and what is", async () => {
    const { run, configFile } = await noSystemd();
    onTestFinished(async () => void (await run("gateway", "stop")));
    rmSync(configFile);
    expect((await run("gateway", "start", "--port", "0")).exitCode).toBe(0);
    await run("gateway", "stop");
    writeFileSync(configFile, '{ "tools": { "profil": "coding" } }');
    const { exitCode, stderr, stdout } = await run("gateway", "start", "--port", "0");
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^The gateway is running/),
    });
    expect(stderr).toContain("error: tools.profil:");
    expect(stderr).toContain("has 1 error and is not used. The gateway runs with the last working");
    const status = await run("status");
    expect(status.exitCode).toBe(0);
    expect(status.stdout.replace(/\s+/g, " ")).toContain("The gateway runs with the defaults");
  });

  it("start names a state folder that cannot be used", async () => {
    const { run, configFile } = await noSystemd();
    const { exitCode, stderr } = await run("gateway", "start", "--state-dir", configFile);
    expect(exitCode).toBe(8);
    expect(stderr).toContain(`The state folder "${configFile}" cannot be written`);
  });

  it("stop leaves a process alone that got the pid of a gateway that died", async () => {
    const { run, folder } = await noSystemd();
    // The start time is not that of this process.
    const mark = `${process.pid}-b00000000-00000000-1`;
    const owner = { mark, pid: process.pid, program: "clawtools gateway", sinceMs: 0 };
    writeFileSync(join(folder, ".clawtools/owner.json"), JSON.stringify(owner));
    expect((await run("gateway", "stop")).stdout).toBe("The gateway is not running.\n");
  });
});

describe("with systemd", () => {
  /** Starts what the unit says, as systemd would, and stops it by its recorded pid. */
  const MANAGER = `
unit="$HOME/${UNIT}"
case "$2" in
  enable) eval "$(sed -n 's/^ExecStart=//p' "$unit") --port 0 >/dev/null 2>&1 &" ;;
  stop) kill "$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' "$HOME/.clawtools/owner.json")" || true ;;
esac`;

  it("start installs a unit, stop stops it, uninstall removes it and keeps the state", async () => {
    const { run, folder, root, configFile } = await withSystemctl(MANAGER);
    onTestFinished(async () => void (await run("gateway", "stop")));
    const started = await run("gateway", "start");
    expect(started).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readFileSync(join(folder, UNIT), "utf8")).toBe(`[Unit]
Description=clawtools gateway
After=network.target

[Service]
ExecStart="${process.execPath}" "${BIN}" "--root" "${root}" "--state-dir" "${folder}/.clawtools" "gateway"
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2 6
KillMode=mixed
TimeoutStopSec=20

[Install]
WantedBy=default.target
`);
    expect((await run("gateway", "stop")).stdout).toBe("The gateway is stopped.\n");
    const removed = await run("gateway", "uninstall");
    expect(removed.stdout).toContain("Removed clawtools-gateway.service.");
    expect(existsSync(join(folder, UNIT))).toBe(false);
    expect(existsSync(configFile)).toBe(true);
    const calls = readFileSync(join(folder, "calls"), "utf8");
    expect(calls).toContain(
      "--user daemon-reload\n--user enable --now clawtools-gateway.service\n",
    );
    expect(calls).toContain("--user disable --now clawtools-gateway.service\n");
  });

  it("start reports what systemctl answers", async () => {
    const { run } = await withSystemctl(
      'if [ "$2" = enable ]; then echo "no such bus" >&2; exit 1; fi',
    );
    const { exitCode, stderr } = await run("gateway", "start");
    expect(exitCode).toBe(10);
    expect(stderr).toContain("enable --now clawtools-gateway.service failed: no such bus");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it("the Dockerfile in the docs runs the gateway as a user, with the state on a volume", () => {
  const page = readFileSync(join(PROJECT_DIR, "docs", "gateway-commands.md"), "utf8");
  const [, text = ""] = /```dockerfile\n([\s\S]*?)```/.exec(page) ?? [];
  const words = new Map(text.split("\n").map((line) => [line.split(" ")[0], line]));
  // engines.node of package.json is >= 20.19.
  expect(words.get("FROM")).toMatch(/^FROM node:2[2-9]-slim$/);
  expect(words.get("USER")).toBe("USER agent");
  expect(words.get("VOLUME")).toBe("VOLUME /home/agent/.clawtools");
  expect(words.get("EXPOSE")).toBe("EXPOSE 18789");
  expect(words.get("CMD")).toBe('CMD ["clawtools", "gateway"]');
});
