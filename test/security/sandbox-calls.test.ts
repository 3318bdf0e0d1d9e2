// System calls that no namespace holds back: files with the rights of their owner, keys of the
// session, sockets that go round the network, another set of calls. As root and as a user.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callFilter } from "../../src/drivers/sandbox/bwrap/call-filter.js";
import { createSandboxRunner, IDENTITIES } from "./sandbox-run.js";

let runner: Awaited<ReturnType<typeof createSandboxRunner>>;
beforeAll(async () => {
  runner = await createSandboxRunner();
});
afterAll(() => runner.remove());

/** By number, because no shell has words for them. */
const CALLS = {
  x64: {
    open: 2,
    creat: 85,
    chmod: 90,
    fchmod: 91,
    mknod: 133,
    openat: 257,
    mknodat: 259,
    fchmodat: 268,
    fchmodat2: 452,
    socket: 41,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
  },
  arm64: {
    mknodat: 33,
    fchmod: 52,
    fchmodat: 53,
    openat: 56,
    fchmodat2: 452,
    socket: 198,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
  },
};
const O_CREAT_WRITE = 0o101;
const AT_FDCWD = -100;

/** Words for perl, each a call that must not succeed; perl hands numbers and texts on as they are. */
function attempts(calls: Readonly<Record<string, number>>): Record<string, string> {
  const modes = ["04755", "02755", "06711"];
  const single = (name: string, words: string): [string, string][] =>
    calls[name] === undefined ? [] : [[`${name}: ${words}`, `call(${calls[name]}, ${words})`]];
  const each = (name: string, words: (mode: string) => string) =>
    modes.flatMap((mode) => single(name, words(mode)));
  return Object.fromEntries([
    ...each("chmod", (mode) => `"own", ${mode}`),
    ...each("fchmod", (mode) => `fileno(OWN), ${mode}`),
    ...each("fchmodat", (mode) => `${AT_FDCWD}, "own", ${mode}`),
    ...each("fchmodat2", (mode) => `${AT_FDCWD}, "own", ${mode}, 0`),
    ...each("open", (mode) => `"made-a-${mode}", ${O_CREAT_WRITE}, ${mode}`),
    ...each("openat", (mode) => `${AT_FDCWD}, "made-b-${mode}", ${O_CREAT_WRITE}, ${mode}`),
    ...each("openat", (mode) => `${AT_FDCWD}, ".", 020200001, ${mode}`),
    ...each("creat", (mode) => `"made-c-${mode}", ${mode}`),
    ...each("mknod", (mode) => `"made-d-${mode}", 0100000 | ${mode}, 0`),
    ...each("mknodat", (mode) => `${AT_FDCWD}, "made-e-${mode}", 0100000 | ${mode}, 0`),
    ...single("socket", "40, 1, 0"),
    ...single("socket", "38, 5, 0"),
    ...single("socket", "(1 << 32) | 40, 1, 0"),
    ...single("keyctl", "0, -3, 0"),
    ...single("keyctl", "6, -3"),
    ...single("add_key", '"user", "name", "text", 4, -3'),
    ...single("request_key", '"user", "name", 0, -3'),
    ["io_uring_setup", 'my $p = "\\0" x 120; call(425, 1, $p)'],
    ["openat2", 'my $h = pack("QQQ", 0101, 04755, 0); call(437, -100, "made-f", $h, 24)'],
    ["second set of calls", 'call(0x4000005a, "own", 04755)'],
  ]);
}

function toPerl(tried: Readonly<Record<string, string>>): string {
  const lines = Object.entries(tried).map(
    ([name, words]) => `if (do { ${words} } >= 0) { print q{${name}}, "\\n" }`,
  );
  // Only what is in a variable is handed on as it is.
  const call = "sub call { my ($n, @a) = @_; return syscall($n, @a) }";
  return [call, 'open(OWN, ">", "own");', ...lines, 'print "all tried\\n";'].join("\n");
}

const calls = Object.entries(CALLS).find(([name]) => name === process.arch)?.[1];

describe.each(IDENTITIES)("as %s", (identity) => {
  it.runIf(calls !== undefined)(
    "no file with rights, no key, no other socket is had",
    async () => {
      const { root, home } = runner.makePlace(identity);
      const perl = toPerl(attempts(calls ?? {}));
      const { outputs } = await runner.run(identity, {
        root,
        home,
        containment: "sandbox",
        commands: [
          `perl -e '${perl}'`,
          "touch mine && for m in u+s g+s 4755 2755; do chmod $m mine 2>/dev/null && echo $m; done; install -m 4755 /bin/true i 2>/dev/null; cp -p own other; find . -perm /6000; echo none",
        ],
      });
      expect(outputs[0]?.trim().split("\n")).toEqual(["all tried"]);
      expect(outputs[1]?.trim()).toBe("none");
      expect(lstatSync(join(root, "own")).mode & 0o6000).toBe(0);
    },
    60_000,
  );

  it("ordinary modes, sockets and files are had as before", async () => {
    const { root, home } = runner.makePlace(identity);
    const { outputs, exitCodes } = await runner.run(identity, {
      root,
      home,
      containment: "sandbox",
      commands: [
        "set -e; touch a; chmod 755 a; chmod +t .; chmod -t .; mkdir -m 700 d; mkfifo f; mktemp ./t.XXXXXX >/dev/null; tar cf x.tar a d; mkdir y; tar xpf x.tar -C y; stat -c %a a y/a",
        `node -e 'const n=require("net");const s=n.createServer().listen(0,"127.0.0.1",()=>n.connect(s.address().port,"127.0.0.1",()=>{console.log("inet");s.close();process.exit()}))'`,
        `node -e 'require("net").createServer().listen("/tmp/s",()=>{console.log("unix");process.exit()})'`,
        'perl -e \'open(F, "<", "/etc/passwd") or die; print "read\\n"\'',
      ],
    });
    expect(outputs.map((text) => text.trim())).toEqual(["755\n755", "inet", "unix", "read"]);
    expect(exitCodes).toEqual([0, 0, 0, 0]);
  });
});

describe("the filter", () => {
  it("is a whole number of steps, and small", () => {
    for (const architecture of ["x64", "arm64"]) {
      const bytes = callFilter(architecture);
      expect((bytes?.length ?? 1) % 8).toBe(0);
      expect(bytes?.length).toBeLessThan(1_500);
    }
  });

  it("is not there for a machine that it does not know", () => {
    expect(callFilter("mips")).toBeUndefined();
  });
});

describe("the same calls outside of a sandbox", () => {
  it.runIf(calls !== undefined)("make such files, so that the test would see it", async () => {
    const [identity] = IDENTITIES;
    const { root, home } = runner.makePlace(identity);
    const all = attempts(calls ?? {});
    const chosen = Object.entries(all).filter(([name]) =>
      /^(?:fchmod|openat|mknodat): /.test(name),
    );
    const { outputs } = await runner.run(identity, {
      root,
      home,
      containment: "group",
      commands: [`perl -e '${toPerl(Object.fromEntries(chosen))}'`],
    });
    expect(outputs[0]?.trim().split("\n")).toEqual([...chosen.map(([name]) => name), "all tried"]);
  });
});
