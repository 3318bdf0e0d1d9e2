// Artifacts as files: kept from one store to the next, for whom they are, and within bounds.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSystemRandom } from "../clock/index.js";
import { createFileArtifacts } from "./index.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clawtools-artifacts-"));
  folder = join(root, "artifacts");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (scope = "mine", now = Date.now) =>
  createFileArtifacts({ folder, scope, clock: { now }, random: createSystemRandom() });
const artifact = { sessionKey: undefined, text: "long", untrusted: { source: "page" } };

describe("artifacts as files", () => {
  it("are read by another store on the same folder, with what was said of their source", () => {
    const id = open().put(artifact) ?? "";
    expect(open().read(id, undefined)).toEqual(artifact);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, id)).mode & 0o777).toBe(0o600);
  });

  it("are for the same scope and session only", () => {
    const id = open().put(artifact) ?? "";
    expect(open("yours").read(id, undefined)).toBeUndefined();
    expect(open().read(id, "agent:main:main")).toBeUndefined();
  });

  it.each(["../secret", "", "x".repeat(24), "0".repeat(24), "."])("%j is no artifact", (id) => {
    mkdirSync(folder);
    writeFileSync(join(root, "secret"), JSON.stringify({ scope: "mine", text: "secret" }));
    expect(open().read(id, undefined)).toBeUndefined();
  });

  it("that are damaged are not there", () => {
    mkdirSync(folder);
    for (const text of ["{", "null", '{"scope":"mine"}', '{"scope":"mine","text":7}']) {
      writeFileSync(join(folder, "a".repeat(24)), text);
      expect(open().read("a".repeat(24), undefined)).toBeUndefined();
    }
  });

  it("go when there are more than 50, the oldest first, and after a day", () => {
    const ids = Array.from({ length: 55 }, (_, index) => {
      const id = open().put(artifact) ?? "";
      const at = (Date.now() - (100 - index) * 1_000) / 1_000;
      utimesSync(join(folder, id), at, at);
      return id;
    });
    expect(readdirSync(folder)).toHaveLength(50);
    expect(open().read(ids[0] ?? "", undefined)).toBeUndefined();
    expect(open().read(ids[54] ?? "", undefined)).toEqual(artifact);
    const later = () => Date.now() + DAY_MS + 1_000;
    expect(open("mine", later).read(ids[54] ?? "", undefined)).toBeUndefined();
    open("mine", later).put(artifact);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("are not kept where nothing can be written, and when they are too long", () => {
    writeFileSync(folder, "a file");
    expect(open().put(artifact)).toBeUndefined();
    expect(open().put({ ...artifact, text: "x".repeat(16 * 1024 * 1024 + 1) })).toBeUndefined();
  });
});
