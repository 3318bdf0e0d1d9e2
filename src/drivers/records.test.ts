// Artifacts in memory and as files: what they keep, for whom, and how much.
import { randomBytes } from "node:crypto";
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
import { createSystemRandom } from "./clock.js";
import { createFileArtifacts, createMemoryArtifacts } from "./records.js";

const MILLION = 1024 * 1024;

describe("the artifacts in memory", () => {
  const createArtifacts = () =>
    createMemoryArtifacts({ random: { hex: (count) => randomBytes(count).toString("hex") } });

  it("give a text back to the session that put it, and to no other", () => {
    const artifacts = createArtifacts();
    const id = artifacts.put({ sessionKey: "agent:a:main", text: "long" }) ?? "";
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(artifacts.read(id, "agent:a:main")?.text).toBe("long");
    expect(artifacts.read(id, "agent:b:main")).toBeUndefined();
    expect(artifacts.read(id, undefined)).toBeUndefined();
  });

  it("remember that a text came from outside", () => {
    const artifacts = createArtifacts();
    const artifact = { sessionKey: undefined, text: "page", untrusted: { source: "web" } };
    const id = artifacts.put(artifact) ?? "";
    expect(artifacts.read(id, undefined)).toEqual(artifact);
  });

  it("have nothing for an id that was never given", () => {
    const artifacts = createArtifacts();
    artifacts.put({ sessionKey: undefined, text: "long" });
    expect(artifacts.read("0".repeat(24), undefined)).toBeUndefined();
    expect(artifacts.read("__proto__", undefined)).toBeUndefined();
  });

  it("drop the oldest when there are more than 200", () => {
    const artifacts = createArtifacts();
    const ids = Array.from({ length: 201 }, (_, index) =>
      artifacts.put({ sessionKey: undefined, text: `text ${index}` }),
    );
    const [first = "", second = ""] = ids;
    expect(artifacts.read(first, undefined)).toBeUndefined();
    expect(artifacts.read(second, undefined)?.text).toBe("text 1");
    expect(artifacts.read(ids.at(-1) ?? "", undefined)?.text).toBe("text 200");
  });

  it("drop the oldest when they hold more than 64 million characters together", () => {
    const artifacts = createArtifacts();
    const large = "x".repeat(16 * MILLION);
    const ids = Array.from({ length: 5 }, () => artifacts.put({ sessionKey: "s", text: large }));
    const kept = ids.map((id) => artifacts.read(id ?? "", "s") !== undefined);
    expect(kept).toEqual([false, true, true, true, true]);
  });

  it("refuse a text that is larger than the largest, and stay as they were", () => {
    const artifacts = createArtifacts();
    const id = artifacts.put({ sessionKey: undefined, text: "small" }) ?? "";
    const text = "x".repeat(16 * MILLION + 1);
    expect(artifacts.put({ sessionKey: undefined, text })).toBeUndefined();
    expect(artifacts.read(id, undefined)?.text).toBe("small");
  });
});

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

  it.each(["../secret", "", "x".repeat(24), "0".repeat(24), "."])("%j is not an artifact", (id) => {
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
