// The manifest: what is accepted, and how each fault is told.

import { execFileSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import { MANIFEST_FILE, MAX_MANIFEST_BYTES, parseManifest, readManifest } from "./manifest.js";

const FILE = "/plugins/sample/openclaw.plugin.json";

describe("parseManifest", () => {
  it("keeps every documented field", () => {
    const manifest = {
      id: "voice-call",
      name: "Voice",
      description: "Calls people",
      version: "1.0.0",
      kind: "memory",
      configSchema: { type: "object" },
      channels: ["voice"],
      providers: ["acme"],
      skills: ["./skills"],
    };
    expect(parseManifest(manifest, FILE)).toEqual({ manifest, unknownKeys: [] });
  });

  it("names the keys it does not know and leaves them out", () => {
    const read = parseManifest({ id: "a", configschema: {}, uiHints: {} }, FILE);
    expect(read).toEqual({ manifest: { id: "a" }, unknownKeys: ["configschema", "uiHints"] });
  });

  it.each([
    ["the manifest", null],
    ["the manifest", ["a"]],
    ['"id"', {}],
    ['"id"', { id: "" }],
    ['"id"', { id: "../up" }],
    ['"id"', { id: "__proto__" }],
    ['"id"', { id: "a".repeat(129) }],
    ['"name"', { id: "a", name: 1 }],
    ['"version"', { id: "a", version: null }],
    ['"kind"', { id: "a", kind: [] }],
    ['"configSchema"', { id: "a", configSchema: true }],
    ['"channels"', { id: "a", channels: "x" }],
    ['"skills"', { id: "a", skills: ["x", 2] }],
  ])("names %s and the file when it is wrong", (field, value) => {
    expect(() => parseManifest(value, FILE)).toThrow(`${FILE}: ${field} must be`);
  });
});

describe("readManifest", () => {
  it("reads a file with a byte order mark", async () => {
    const folder = await createTempFolder({ [MANIFEST_FILE]: '\uFEFF{"id":"marked"}' });
    expect((await readManifest(folder)).manifest).toEqual({ id: "marked" });
  });

  it("names the file and the place of a syntax error, and shows nothing of the text", async () => {
    const folder = await createTempFolder({ [MANIFEST_FILE]: '{"id": "a",, "secret": 1}' });
    const error = await readManifest(folder).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ problem: "manifest_not_json" });
    expect(String(error)).toContain(`${folder}/${MANIFEST_FILE} is not valid JSON at character 11`);
    expect(String(error)).not.toContain("secret");
  });

  it("reads a manifest of exactly the limit and refuses one more byte", async () => {
    const text = '{"id":"full"}'.padEnd(MAX_MANIFEST_BYTES, " ");
    const folder = await createTempFolder({
      [`fits/${MANIFEST_FILE}`]: text,
      [`over/${MANIFEST_FILE}`]: `${text} `,
      [`huge/${MANIFEST_FILE}`]: text.repeat(4),
    });
    expect((await readManifest(join(folder, "fits"))).manifest.id).toBe("full");
    await expect(readManifest(join(folder, "over"))).rejects.toMatchObject({
      problem: "manifest_too_large",
      code: "limit",
    });
    // The whole size is known only to a reader that looks at it before it reads.
    await expect(readManifest(join(folder, "huge"))).rejects.toThrow(
      `has ${4 * MAX_MANIFEST_BYTES} bytes`,
    );
  });

  it("refuses a link that leaves the folder, and follows one that stays", async () => {
    const folder = await createTempFolder({
      "outside.json": '{"id":"outside"}',
      "inside/real.json": '{"id":"inside"}',
      "leaves/readme.txt": "",
    });
    await symlink(join(folder, "outside.json"), join(folder, "leaves", MANIFEST_FILE));
    await symlink("real.json", join(folder, "inside", MANIFEST_FILE));
    await expect(readManifest(join(folder, "leaves"))).rejects.toMatchObject({
      problem: "manifest_unreadable",
    });
    expect((await readManifest(join(folder, "inside"))).manifest.id).toBe("inside");
  });

  it("refuses a folder or a named pipe in its place without waiting", async () => {
    const folder = await createTempFolder({
      [`folder/${MANIFEST_FILE}/x`]: "",
      "pipe/readme.txt": "",
    });
    execFileSync("mkfifo", [join(folder, "pipe", MANIFEST_FILE)]);
    for (const name of ["folder", "pipe"]) {
      await expect(readManifest(join(folder, name))).rejects.toThrow("it is not a regular file");
    }
  });
});
