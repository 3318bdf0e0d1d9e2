// Attempts to leave the sandbox from inside, as root, as root for a user's workspace, and as a user.
// Each that gets somewhere prints its name.

import { spawn } from "node:child_process";
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findProtectedPlaces } from "../../src/drivers/sandbox/bwrap/protected-places.js";
import { MAX_ALL_PROCESSES, MAX_PROCESSES } from "../../src/drivers/sandbox/limits.js";
import { createSandboxRunner, IDENTITIES, USER_ID } from "./sandbox-run.js";

/** Bounded, because the machine is shared. Forks as long as it may; says how often it could. */
const FORK_BOMB = `my $n = 0; for (1..${MAX_ALL_PROCESSES + 50}) { my $p = fork; last unless defined $p; if (!$p) { sleep 60; exit } $n++ } print "$n\\n"`;

let runner: Awaited<ReturnType<typeof createSandboxRunner>>;
let server: Server;
let port = 0;

beforeAll(async () => {
  runner = await createSandboxRunner();
  server = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});

afterAll(() => {
  server.close();
  runner.remove();
});

/** A file beside the workspace that nobody inside may read or change. */
function plantSecret(root: string) {
  const folder = `${root}-outside`;
  mkdirSync(folder, { mode: 0o777 });
  writeFileSync(join(folder, "secret"), "planted secret", { mode: 0o666 });
  symlinkSync(folder, join(root, "way-out"));
  symlinkSync(join(folder, "secret"), join(root, "secret-link"));
  return { folder, secret: join(folder, "secret") };
}

function attempts(secretFolder: string): Record<string, string> {
  return {
    "write /usr": ": > /usr/escaped",
    "write /etc": ": > /etc/escaped",
    "write /": ": > /escaped",
    "write /dev": ": > /dev/escaped",
    "write /proc/sys": "exec 8>> /proc/sys/kernel/core_pattern",
    "write any of /proc":
      "find /proc -maxdepth 4 -not -path '/proc/[0-9]*' -type f -writable | grep -q .",
    "read kernel memory": "head -c 1 /proc/kcore",
    sysrq: "exec 8> /proc/sysrq-trigger",
    remount: "mount -o remount,rw,bind /usr",
    "mount anew": "mount -t tmpfs none /tmp",
    unmount: "umount /usr",
    chroot: "chroot / true",
    device: "mknod /tmp/disk b 8 0",
    "host pid seen": `[ -e /proc/${process.pid} ]`,
    "host pid signalled": `kill -0 ${process.pid}`,
    "host root by proc": `[ -e /proc/1/root${secretFolder}/secret ]`,
    loopback: `exec 9<> /dev/tcp/127.0.0.1/${port}`,
    "user namespace": "unshare --user true",
    "mapped user namespace": "unshare --map-root-user --mount true",
    "nested sandbox": "bwrap --dev-bind / / true",
    "file limit": "ulimit -f unlimited",
    "memory limit": "ulimit -d unlimited",
    "time limit": "ulimit -t unlimited",
    "limit by program": "prlimit --pid $$ --fsize=unlimited",
    "become root": "setpriv --reuid 0 --regid 0 --clear-groups --inh-caps +sys_admin true",
    "read outside": `cat ${secretFolder}/secret`,
    "read by link": "cat secret-link",
    "write by link": ": > way-out/escaped",
    "hard link": `ln ${secretFolder}/secret here`,
    "read shadow": "cat /etc/shadow",
    "read home": "ls -A ~ | grep -q .",
    "steer git": "echo x >> .git/config",
    "steer git anew": "rm -f .git/config && echo x > .git/config",
    "git hook": ": > .git/hooks/pre-commit",
    "move git": "mv .git git2",
    "move hooks": "mv .git/hooks .git/hooks2",
    "own settings": ": > .clawtools/clawtools.json",
    "move own settings": "mv .clawtools other",
  };
}

function toScript(tried: Record<string, string>): string {
  const lines = Object.entries(tried).map(
    ([name, words]) => `if ( ${words} ) > /dev/null 2>&1; then echo '${name}'; fi`,
  );
  return [...lines, "echo all tried"].join("\n");
}

describe.each(IDENTITIES)("as %s", (identity) => {
  it("no attempt to leave the sandbox gets anywhere", async () => {
    const { root, home } = runner.makePlace(identity);
    const { folder, secret } = plantSecret(root);
    writeFileSync(join(home, "private"), "planted");
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    writeFileSync(join(root, ".git/config"), "[core]\n");
    mkdirSync(join(root, ".clawtools"));
    giveAway(root, identity);
    const tried = attempts(folder);
    const answer = await runner.run(identity, {
      root,
      home,
      containment: "sandbox",
      commands: [toScript(tried), "cat /proc/self/status; id -u; pwd; echo fine > own-file"],
    });
    expect(answer.kind).toBe("bwrap");
    expect(answer.outputs[0]?.trim().split("\n")).toEqual(["all tried"]);
    expect(answer.outputs[1]).toMatch(/CapEff:\t0{16}/);
    expect(answer.outputs[1]).toMatch(/CapBnd:\t0{16}/);
    expect(answer.outputs[1]).toContain(`${root}\n`);
    expect(readFileSync(join(root, "own-file"), "utf8")).toBe("fine\n");
    expect(readFileSync(secret, "utf8")).toBe("planted secret");
    expect(existsSync(join(folder, "escaped"))).toBe(false);
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe("[core]\n");
  });

  it("programs of the home are seen where the home is, and the keys beside them are not", async () => {
    const { root, home } = runner.makePlace(identity);
    const programs = [".npm-global/bin/tool", ".local/share/uv/tools/tool", ".nvm/alias/default"];
    const keys = [
      ".npm-global/etc/npmrc",
      ".local/share/uv/credentials/credentials.toml",
      ".nvm/versions/node/v20.0.0/etc/npmrc",
    ];
    for (const name of [...programs, ...keys]) {
      mkdirSync(join(home, name, ".."), { recursive: true });
      writeFileSync(join(home, name), "planted");
    }
    const reads = [...programs, ...keys].map((name) => [
      name,
      `grep -q planted ${join(home, name)}`,
    ]);
    const answer = await runner.run(identity, {
      root,
      home,
      containment: "sandbox",
      commands: [toScript(Object.fromEntries(reads))],
    });
    expect(answer.outputs[0]?.trim().split("\n")).toEqual([...programs, "all tried"]);
  });

  it("the number of processes is limited, or told as not limited", async () => {
    const { root, home } = runner.makePlace(identity);
    const answer = await runner.run(identity, {
      root,
      home,
      containment: "sandbox",
      commands: [`perl -e '${FORK_BOMB}'`],
    });
    const started = Number(answer.outputs[0]);
    const [, limit = ""] = /^processes and threads (\d+)/.exec(answer.limits[0] ?? "") ?? [];
    if (limit === "") {
      expect(answer.limits).toContain("processes: not enforced (runs as root)");
      expect([identity, canMakeGroups()]).toEqual(["root", false]);
      return;
    }
    expect(Number(limit)).toBe(identity === "root" ? MAX_ALL_PROCESSES : MAX_PROCESSES);
    expect(started).toBeGreaterThan(Number(limit) / 2);
    expect(started).toBeLessThan(Number(limit));
  });
});

/** Of version 1; in version 2 it also depends on who made the groups above. */
function canMakeGroups(): boolean {
  try {
    accessSync("/sys/fs/cgroup/pids", constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readChildren(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
}

/** The workspace's files belong to whoever works in it. */
function giveAway(root: string, identity: string): void {
  if (identity === "root" || process.getuid?.() !== 0) return;
  const paths = ["", ".git", ".git/hooks", ".git/config", ".clawtools"];
  for (const path of paths) chownSync(join(root, path), USER_ID, USER_ID);
}

describe("a place that is protected", () => {
  it("is looked at again when it is mounted, so that a link in its place is noticed", async () => {
    const [identity] = IDENTITIES;
    const { root } = runner.makePlace(identity);
    mkdirSync(join(root, ".git"));
    const config = join(root, ".git/config");
    writeFileSync(config, "[core]\n");
    const request = { root, shown: [], hidden: [], readOnly: [] };
    const { args, findFault } = findProtectedPlaces(request);
    const git = join(root, ".git");
    const hooks = join(git, "hooks");
    expect(args).toEqual([
      "--bind",
      git,
      git,
      "--ro-bind",
      hooks,
      hooks,
      "--ro-bind",
      config,
      config,
    ]);
    // In the namespace of this process everything is in its own place, and nothing is mounted.
    expect(findFault(process.pid)).toContain(root);
    const mounts = ["--bind", "/", "/", "--bind", root, root, ...args];
    const child = spawn("bwrap", [...mounts, "--", "sleep", "60"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const inside = () => Number.parseInt(readChildren(child.pid ?? 0), 10);
    await expect.poll(() => findFault(inside())).toBeUndefined();
    rmSync(config);
    symlinkSync("/etc/passwd", config);
    expect(findFault(inside())).toContain(config);
    expect(findProtectedPlaces(request).args).toEqual(["--ro-bind", git, git]);
  });
});

describe("the same attempts outside of a sandbox", () => {
  it("get somewhere, so that the test would see it", async () => {
    const [identity] = IDENTITIES;
    const { root, home } = runner.makePlace(identity);
    const { folder } = plantSecret(root);
    const harmless = [
      "host pid seen",
      "host pid signalled",
      "loopback",
      "read outside",
      "read by link",
    ];
    const all = attempts(folder);
    const tried = Object.fromEntries(harmless.map((name) => [name, all[name] ?? "false"]));
    const commands = [toScript(tried)];
    const answer = await runner.run(identity, { root, home, containment: "group", commands });
    expect(answer.outputs[0]?.trim().split("\n")).toEqual([...harmless, "all tried"]);
  });

  it("reach the network from inside when that is allowed", async () => {
    const [identity] = IDENTITIES;
    const { root, home } = runner.makePlace(identity);
    const tried = { loopback: attempts("").loopback ?? "false" };
    const answer = await runner.run(identity, {
      root,
      home,
      containment: "sandbox",
      allowsNetwork: true,
      commands: [toScript(tried)],
    });
    expect(answer.outputs[0]?.trim().split("\n")).toEqual(["loopback", "all tried"]);
  });
});
