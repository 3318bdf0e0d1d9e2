// A store whose surroundings fail it: no SQLite installed, a disk that becomes read-only, no file
// handles left. Each is a typed error, and the store goes on when it is over.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOwnMounts } from "../contract/store/full-disk-cases.js";
import { bundleProgram, startRole, useProgram } from "../contract/store/processes.js";

const entry = fileURLToPath(new URL("./store-surroundings-program.ts", import.meta.url));
const contents = `import { meet } from ${JSON.stringify(entry)}; await meet(process.argv.slice(2));`;
const program = useProgram(contents);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "store-surroundings-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a store", () => {
  it("without SQLite says what to install", async () => {
    // Outside of the project the package is not found.
    const outside = join(folder, "program.mjs");
    await bundleProgram(outside, contents);
    const [said] = await startRole([outside, "nothing", join(folder, "state")]).end;
    expect(said).toBe(
      "unavailable/sqlite_missing: State cannot be kept without SQLite: run `npm install @photostructure/sqlite` and restart.",
    );
  });

  it("on a disk that has become read-only says so, and goes on when it is writable again", async () => {
    const mount = 'mount -t tmpfs -o size=8m none "$0" && exec "$@"';
    const before = [...findOwnMounts(), "sh", "-c", mount, folder];
    const said = await startRole([program(), "read-only", folder], { before }).end;
    expect(said).toEqual(["done", "unavailable/store_readonly", "done", "read 2"]);
  });

  it("without a file handle left says so, and opens when there is one", async () => {
    const before = ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh"];
    const said = await startRole([program(), "no-handles", folder], { before }).end;
    expect(said).toEqual(["unavailable/store_no_handles", "done", "read 1"]);
  });
});
