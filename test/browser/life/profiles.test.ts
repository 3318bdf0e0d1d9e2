// Profiles: made, listed, emptied and deleted; nothing outside of their own folders is ever removed.
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLifeSetting, type LifeSetting, scope } from "./life-setting.js";

let setting: LifeSetting;

beforeEach(async () => {
  setting = await createLifeSetting({
    browser: {
      profiles: {
        work: { color: "#123456", cdpPort: 18_850 },
        far: { cdpUrl: "http://far.test:9222" },
      },
    },
  });
});
afterEach(() => setting.close());

const create = (profile: string, cdpUrl?: string) =>
  setting.browsers.createProfile({ ...scope(), profile, cdpUrl });
const remove = (profile: string) => setting.browsers.deleteProfile({ ...scope(), profile });

describe("profiles", () => {
  it("252, 258 · are the default one, those of the configuration and those that were created", async () => {
    await create("second");
    const rows = await setting.browsers.profiles(scope());
    expect(rows.map(({ name }) => name)).toEqual(["chrome", "far", "work", "second"]);
    expect(rows[0]).toMatchObject({ isDefault: true, kind: "managed", running: false });
    expect(rows[1]).toMatchObject({ kind: "attached", isRemote: true });
    expect(rows[2]).toMatchObject({ color: "#123456", cdpPort: 18_850 });
    expect(rows[3]).toMatchObject({ cdpPort: 18_800, kind: "managed" });
    expect(new Set(rows.map(({ color }) => color)).size).toBe(rows.length);
  });

  it("that were created are there for the next process", async () => {
    await create("kept");
    const rows = await setting.another().profiles(scope());
    expect(rows.map(({ name }) => name)).toContain("kept");
  });

  it("257 · are refused when the name is taken or is none", async () => {
    await expect(create("work")).rejects.toMatchObject({ reason: "browser_profile_exists" });
    for (const name of ["", "Work", "../evil", "a/b", "-a", "a".repeat(65), "a.b"]) {
      await expect(create(name)).rejects.toMatchObject({ reason: "browser_profile_invalid" });
    }
    await expect(setting.browsers.status({ ...scope(), profile: "none" })).rejects.toMatchObject({
      reason: "browser_profile_unknown",
    });
  });

  it("do not attach to an address that the policy refuses", async () => {
    const strict = setting.another({ ssrfPolicy: {} });
    const request = { ...scope(), profile: "mine", cdpUrl: "http://127.0.0.1:9222" };
    await expect(strict.createProfile(request)).rejects.toMatchObject({ code: "denied" });
    await expect(create("mine", "nonsense")).rejects.toMatchObject({
      reason: "browser_url_invalid",
    });
  });

  it("keep secrets of their address to themselves", async () => {
    const made = await create("mine", "http://user:secret@127.0.0.1:9222/?token=hidden");
    expect(JSON.stringify(made)).not.toMatch(/secret|hidden/);
  });

  it("are full when every port has a profile", async () => {
    const profiles = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`p${index}`, { cdpPort: 18_800 + index }]),
    );
    const full = setting.another({ profiles });
    await expect(
      full.createProfile({ ...scope(), profile: "more", cdpUrl: undefined }),
    ).rejects.toMatchObject({ code: "limit", reason: "browser_ports_full" });
  });
});

describe("the data of a profile", () => {
  it("goes with it, and what a link leads to stays", async () => {
    await create("linked");
    const outside = join(setting.folder, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "precious"), "kept");
    const folder = join(setting.stateDir, "browser/linked");
    await mkdir(join(folder, "user-data"), { recursive: true });
    await symlink(outside, join(folder, "user-data/link"));
    await remove("linked");
    expect(existsSync(folder)).toBe(false);
    expect(await readFile(join(outside, "precious"), "utf8")).toBe("kept");
    await expect(remove("linked")).rejects.toMatchObject({ reason: "browser_profile_unknown" });
  });

  it("that lies behind a link in the place of its folder is left where it is", async () => {
    await create("linked");
    const outside = join(setting.folder, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "precious"), "kept");
    await symlink(outside, join(setting.stateDir, "browser/linked"));
    await remove("linked");
    expect(await readFile(join(outside, "precious"), "utf8")).toBe("kept");
  });

  it("is not deleted for the default profile, nor for those of a configuration that is not a file", async () => {
    for (const name of ["chrome", "work", "far"]) {
      await expect(remove(name)).rejects.toMatchObject({ reason: "browser_profile_invalid" });
    }
  });

  it("249 · keeps its logins when a reset ends the browser", async () => {
    await setting.browsers.start(scope());
    const folder = join(setting.stateDir, "browser/chrome");
    expect(existsSync(join(folder, "user-data"))).toBe(true);
    await setting.browsers.resetProfile(scope());
    expect(existsSync(join(folder, "user-data"))).toBe(true);
    expect((await setting.browsers.status(scope())).running).toBe(false);
  });
});
