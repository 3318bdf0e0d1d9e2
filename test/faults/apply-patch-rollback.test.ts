// What a patch that fails had already removed, on a real disk, comes back with the permissions and the
// owner it had.

import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge, type FsBridge, ToolError } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyPatch } from "../../src/tools/apply_patch/index.js";
import { bindAlone } from "../fakes/resolve-tool.js";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "patch-rollback-")));
  put("secret", 0o600);
  put("run.sh", 0o755);
  put("from", 0o644);
  put("stays", 0o644);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, mode: number): void {
  writeFileSync(join(root, name), `${name}\n`);
  chmodSync(join(root, name), mode);
}

const see = (name: string) => ({
  text: readFileSync(join(root, name), "utf8"),
  mode: statSync(join(root, name)).mode & 0o777,
});
const apply = (bridge: FsBridge, ...parts: readonly string[]) => {
  const input = ["*** Begin Patch", ...parts, "*** End Patch"].join("\n");
  return bindAlone(applyPatch, { bridge, root }).execute("call", { input });
};

/** The real bridge without its queue, which removes all files but this one. */
function holding(name: string): FsBridge {
  const { exclusive: _, ...bridge } = createNodeBridge(root);
  return {
    ...bridge,
    async remove(path) {
      if (path.filePath !== name) return bridge.remove?.(path);
      throw new ToolError("failed", "It is read-only.", { reason: "erofs" });
    },
  };
}

describe("a file that comes back when a later step fails", () => {
  it("has its permissions again where it was deleted", async () => {
    const parts = ["*** Delete File: secret", "*** Delete File: run.sh", "*** Delete File: stays"];
    const result = await apply(holding("stays"), ...parts);
    expect(result.details).toMatchObject({ reason: "erofs", rolledBack: true });
    expect(see("secret")).toEqual({ text: "secret\n", mode: 0o600 });
    expect(see("run.sh")).toEqual({ text: "run.sh\n", mode: 0o755 });
  });

  it("has its permissions again where another was moved over it", async () => {
    const parts = ["*** Update File: from\n*** Move to: secret", "*** Delete File: stays"];
    const result = await apply(holding("stays"), ...parts);
    expect(result.details).toMatchObject({ reason: "erofs", rolledBack: true });
    expect(see("secret")).toEqual({ text: "secret\n", mode: 0o600 });
    expect(see("from")).toEqual({ text: "from\n", mode: 0o644 });
  });
});

describe.runIf(process.getuid?.() === 0)("the owner of a file that a patch makes again", () => {
  const [USER, GROUP] = [4_321, 4_322];
  const give = (name: string) => chownSync(join(root, name), USER, GROUP);
  const ownerOf = (name: string) => {
    const { uid, gid } = statSync(join(root, name));
    return [uid, gid];
  };

  it("is that of the deleted file when a later step fails", async () => {
    give("secret");
    const parts = ["*** Delete File: secret", "*** Delete File: stays"];
    const result = await apply(holding("stays"), ...parts);
    expect(result.details).toMatchObject({ rolledBack: true });
    expect([ownerOf("secret"), see("secret").mode]).toEqual([[USER, GROUP], 0o600]);
  });

  it("is that of the file over which another was moved when a later step fails", async () => {
    give("secret");
    const parts = ["*** Update File: from\n*** Move to: secret", "*** Delete File: stays"];
    const result = await apply(holding("stays"), ...parts);
    expect(result.details).toMatchObject({ rolledBack: true });
    expect([ownerOf("secret"), ownerOf("from")]).toEqual([
      [USER, GROUP],
      [0, 0],
    ]);
  });
});
