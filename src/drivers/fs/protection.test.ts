// Names and places that no call changes: by any spelling, through links, there or not; and that
// nothing else is kept from being changed.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WholeBridge } from "../../core/files/index.js";
import { createNodeBridge } from "./node-bridge.js";

let place: string;
let root: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "protection-")));
  root = join(place, "root");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "a");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});

/** What every change of `filePath` is answered with. */
async function tryChanges(bridge: WholeBridge, filePath: string): Promise<unknown[]> {
  const calls = [
    bridge.writeFile({ filePath, data: "x" }),
    bridge.mkdirp({ filePath: filePath }),
    bridge.remove({ filePath }),
    bridge.rename({ filePath, to: "moved" }),
    bridge.rename({ filePath: "a.txt", to: filePath }),
  ];
  return Promise.all(
    calls.map((call) =>
      call.then(
        () => "done",
        (error: { reason?: string }) => error.reason,
      ),
    ),
  );
}

const ALL_REFUSED = Array(5).fill("path_protected");
const NAMES = [
  ".git/config",
  ".git/hooks/pre-commit",
  "packages/one/.git/config",
  ".GIT/config",
  ".g\u200Dit/config",
  ".clawtools/clawtools.json",
  ".clawtools/audit/log",
  "clawtools.json",
  "sub/clawtools.json",
  "CLAWTOOLS.JSON",
  "exec-approvals.json",
  "exec-approval\u017F.json",
];

describe("a protected name", () => {
  it.each(NAMES)(
    "%j is not changed, neither when it is missing nor when it is there",
    async (path) => {
      const bridge = createNodeBridge(root);
      expect(await tryChanges(bridge, path)).toEqual(ALL_REFUSED);
      expect(existsSync(join(root, path))).toBe(false);
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), "kept");
      expect(await tryChanges(bridge, path)).toEqual(ALL_REFUSED);
      expect(String(await bridge.readFile({ filePath: path }))).toBe("kept");
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a");
    },
  );

  it("is not changed through a link, a chain of links or a link to the file itself", async () => {
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    writeFileSync(join(root, ".git/config"), "kept");
    symlinkSync(".git", join(root, "plain"));
    symlinkSync("plain/hooks", join(root, "chain"));
    symlinkSync(".git/config", join(root, "file"));
    const bridge = createNodeBridge(root);
    for (const path of ["chain/pre-commit", "plain/../.git/x"]) {
      expect(await tryChanges(bridge, path), path).toEqual(ALL_REFUSED);
    }
    const missing = "file_missing";
    expect(await tryChanges(bridge, "plain/new/deep")).toEqual(
      ALL_REFUSED.map((reason, index) => ([2, 3].includes(index) ? missing : reason)),
    );
    const [writing, , ...rest] = await tryChanges(bridge, "plain/config");
    expect([writing, ...rest]).toEqual(Array(4).fill("path_protected"));
    expect(await bridge.mkdirp({ filePath: "plain" }).catch((e: Error) => e.message)).toContain(
      '".git" is protected',
    );
    await expect(bridge.writeFile({ filePath: "file", data: "x" })).rejects.toMatchObject({
      code: "denied",
      reason: "path_protected",
      details: { protected: ".git" },
    });
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe("kept");
    expect(existsSync(join(root, ".git/hooks/pre-commit"))).toBe(false);
    expect(existsSync(join(root, ".git/new"))).toBe(false);
  });

  it.each([
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    ".github/workflows/ci.yml",
    "git/config",
    "x.git/config",
    "my-clawtools.json",
    "clawtools.json5",
    "approvals.json",
    "hooks/pre-commit",
  ])("is not meant by %j", async (filePath) => {
    const bridge = createNodeBridge(root);
    await bridge.writeFile({ filePath, data: "x" });
    await bridge.rename({ filePath, to: "moved" });
    expect(readFileSync(join(root, "moved"), "utf8")).toBe("x");
    await bridge.remove({ filePath: "moved" });
    expect(existsSync(join(root, "moved"))).toBe(false);
  });
});

describe("the state folder and the config file of this user", () => {
  const state = () => join(root, "state");

  it("are not changed where a variable puts them, also by their real path", async () => {
    symlinkSync(root, join(place, "alias"));
    vi.stubEnv("CLAWTOOLS_STATE_DIR", join(place, "alias/state"));
    vi.stubEnv("CLAWTOOLS_CONFIG_PATH", join(root, "conf/mine.json5"));
    const bridge = createNodeBridge(root);
    for (const path of ["state/store.sqlite", "state/deep/er", "conf/mine.json5"]) {
      expect(await tryChanges(bridge, path), path).toEqual(ALL_REFUSED);
    }
    const error = await bridge
      .writeFile({ filePath: "state/x", data: "" })
      .catch((e: unknown) => e);
    expect(String(error)).not.toContain(place);
    await bridge.writeFile({ filePath: "conf/other.json5", data: "x" });
    await bridge.writeFile({ filePath: "stateless", data: "x" });
  });

  it("leave a root that lies inside the state folder free", async () => {
    vi.stubEnv("CLAWTOOLS_STATE_DIR", place);
    const bridge = createNodeBridge(root, { allowOutside: true });
    await bridge.writeFile({ filePath: "work/x", data: "x" });
    expect((await tryChanges(bridge, "../store.sqlite"))[0]).toBe("path_protected");
  });

  it("protect everything when the state folder is the root", async () => {
    mkdirSync(state());
    vi.stubEnv("CLAWTOOLS_STATE_DIR", state());
    const bridge = createNodeBridge(state());
    const call = bridge.writeFile({ filePath: "anything", data: "x" });
    await expect(call).rejects.toMatchObject({ reason: "path_protected" });
  });
});

describe("the option protect", () => {
  it("takes names and places, and replaces what is protected otherwise", async () => {
    const bridge = createNodeBridge(root, { protect: ["secrets", "conf/keys", join(root, "abs")] });
    for (const path of ["secrets", "x/secrets/y", "conf/keys/z", "abs/x"]) {
      expect(await tryChanges(bridge, path), path).toEqual(ALL_REFUSED);
    }
    for (const filePath of ["conf/other", "x/conf/keys", "keys", ".git/config"]) {
      await bridge.writeFile({ filePath, data: "x" });
    }
  });

  it("protects nothing when it is empty, and refuses what is no path", async () => {
    await createNodeBridge(root, { protect: [] }).writeFile({ filePath: ".git/config", data: "x" });
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe("x");
    expect(() => createNodeBridge(root, { protect: ["a\0b"] })).toThrow("NUL");
  });

  it("holds outside of the root too", async () => {
    const bridge = createNodeBridge(root, { allowOutside: true });
    expect(await tryChanges(bridge, join(place, "repo/.git/config"))).toEqual(ALL_REFUSED);
    expect(await tryChanges(bridge, "../repo/.git/config")).toEqual(ALL_REFUSED);
  });
});
