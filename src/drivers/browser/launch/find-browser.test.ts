// Which program is the browser, whether its sandbox is on and whether it has a window.

import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseHeadless, chooseNoSandbox, type SandboxWorld } from "./choose-sandbox.js";
import { findBrowser, listBrowserPlaces } from "./find-browser.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claw-find-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeProgram(path: string, text = "\u007fELF"): Promise<string> {
  const full = join(folder, path);
  await mkdir(join(full, ".."), { recursive: true });
  await writeFile(full, text);
  await chmod(full, 0o755);
  return full;
}

/** Only what this test made: no place of this machine is looked at. */
const onPath = (...folders: string[]) =>
  ({
    platform: "freebsd",
    environment: { PATH: folders.map((name) => join(folder, name)).join(":") },
    home: folder,
  }) as const;

describe("findBrowser", () => {
  it("never takes a program from the root, by PATH, by a link or by the config", async () => {
    const inside = await makeProgram("root/bin/chromium");
    const outside = await makeProgram("usr/bin/brave");
    await mkdir(join(folder, "linked"));
    await symlink(inside, join(folder, "linked/chromium"));
    const place = { ...onPath("root/bin", "linked", "usr/bin"), root: join(folder, "root") };
    expect(await findBrowser(undefined, place)).toBe(outside);
    for (const path of [inside, join(folder, "linked/chromium"), "chromium", "./bin/chromium"]) {
      await expect(findBrowser(path, place)).rejects.toMatchObject({
        reason: "browser_missing",
        message: expect.stringContaining("in the root, where tools can write it"),
      });
    }
  });

  it("takes the configured one, and no other when that is none", async () => {
    const path = await makeProgram("own/browser");
    expect(await findBrowser(path)).toBe(path);
    await expect(findBrowser(folder)).rejects.toMatchObject({
      code: "unavailable",
      reason: "browser_missing",
      message: expect.stringContaining(folder),
    });
  });

  it("says what to install when there is none", async () => {
    await expect(findBrowser(undefined, onPath("usr/bin"))).rejects.toMatchObject({
      reason: "browser_missing",
    });
  });

  it("looks in the places of each system, never in a relative folder", () => {
    const mac = listBrowserPlaces({ platform: "darwin", environment: {}, home: "/Users/me" });
    expect(mac[0]).toBe("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    expect(mac).toContain("/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium");
    const windows = listBrowserPlaces({
      platform: "win32",
      environment: { ProgramFiles: "C:\\Program Files", PATH: "C:\\x" },
      home: undefined,
    });
    expect(windows[0]).toBe("C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe");
    const linux = listBrowserPlaces({
      platform: "linux",
      environment: { PATH: "bin:./x:/opt/bin" },
      home: undefined,
    });
    expect(linux).toContain("/opt/bin/brave-browser");
    expect(linux.every((path) => path.startsWith("/"))).toBe(true);
  });
});

const world = (over: Partial<SandboxWorld>): SandboxWorld => ({
  platform: "linux",
  userId: 1000,
  readText: async () => undefined,
  readMode: async () => undefined,
  tryNamespace: async () => true,
  ...over,
});

describe("chooseNoSandbox", () => {
  const request = { path: "/usr/lib/chromium/chromium", noSandbox: false };
  const rows: readonly [string, Partial<SandboxWorld>, string | undefined][] = [
    ["is on for an ordinary user", {}, undefined],
    ["is off for root", { userId: 0 }, "root"],
    ["is on for root of another system", { userId: 0, platform: "darwin" }, undefined],
    ["is off without user namespaces", { readText: async () => "0\n" }, "no user namespaces"],
    ["is off where one cannot be made", { tryNamespace: async () => false }, "no user namespaces"],
    ["is on where it cannot be tried", { tryNamespace: async () => undefined }, undefined],
    [
      "is on with the helper of root",
      { readText: async () => "0", readMode: async () => ({ mode: 0o104755, userId: 0 }) },
      undefined,
    ],
    [
      "is off with a helper of somebody else",
      { readText: async () => "0", readMode: async () => ({ mode: 0o104755, userId: 5 }) },
      "no user namespaces",
    ],
  ];
  it.each(rows)("%s", async (_title, over, reason) => {
    expect(await chooseNoSandbox(request, world(over))).toBe(reason);
  });

  it("is off when somebody says so", async () => {
    expect(await chooseNoSandbox({ ...request, noSandbox: true }, world({}))).toBe("config");
  });
});

describe("chooseHeadless", () => {
  it.each([
    [undefined, "linux", {}, true],
    [undefined, "linux", { DISPLAY: ":0" }, false],
    [undefined, "linux", { WAYLAND_DISPLAY: "wayland-0" }, false],
    [true, "linux", { DISPLAY: ":0" }, true],
    [false, "linux", {}, false],
    [undefined, "darwin", {}, false],
  ] as const)("configured %s on %s with %j: %s", (configured, platform, environment, expected) => {
    expect(chooseHeadless(configured, { platform, environment })).toBe(expected);
  });
});
