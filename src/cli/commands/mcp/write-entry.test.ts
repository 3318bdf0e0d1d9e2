// The entry of the server in the file of a client: what somebody added to it stays, one copy is kept, and
// what cannot be edited is refused without a trace.

import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeEntry } from "./write-entry.js";

const ENTRY = { type: "stdio", command: "node", args: ["a"] };

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "clawtools-entry-"));
  file = join(folder, "mcp.json");
});
afterEach(() => rm(folder, { recursive: true }));

function install(entry: Readonly<Record<string, unknown>> = ENTRY) {
  return writeEntry({ file, key: "mcpServers", name: "clawtools", entry, mode: 0o644 });
}

const names = async () => (await readdir(folder)).sort();

describe("an entry that is there", () => {
  it("keeps env, disabled and comments, and has the new command", async () => {
    const old = `{"mcpServers": {"clawtools": {
      "command": "old", // mine
      "env": {"KEY": "x"}, "disabled": true
    }}}\n`;
    await writeFile(file, old);
    expect(await install({ ...ENTRY, env: {} })).toMatchObject({ written: true });
    const text = await readFile(file, "utf8");
    expect(text).toContain("// mine");
    expect(JSON.parse(text.replace("// mine", ""))).toEqual({
      mcpServers: { clawtools: { ...ENTRY, env: { KEY: "x" }, disabled: true } },
    });
    expect(await install({ ...ENTRY, env: {} })).toEqual({ written: false });
  });

  it("that named a server which listens loses only its address", async () => {
    const http = { type: "http", url: "http://x", headers: { Authorization: "x" }, disabled: true };
    await writeFile(file, JSON.stringify({ mcpServers: { clawtools: http } }));
    await install();
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      mcpServers: { clawtools: { ...ENTRY, disabled: true } },
    });
  });
});

describe("the copy", () => {
  it("is one, of the file before the server was in it", async () => {
    await writeFile(file, "{}");
    expect(await install()).toEqual({ written: true, backup: `${file}.before-clawtools` });
    expect(await install({ ...ENTRY, args: ["b"] })).toEqual({ written: true });
    expect(await names()).toEqual(["mcp.json", "mcp.json.before-clawtools"]);
    expect(await readFile(`${file}.before-clawtools`, "utf8")).toBe("{}");
    await writeFile(file, '{"theme": "dark"}');
    await install();
    expect(await readFile(`${file}.before-clawtools`, "utf8")).toBe('{"theme": "dark"}');
    expect(await names()).toEqual(["mcp.json", "mcp.json.before-clawtools"]);
  });

  it("is not left when nothing could be written", async () => {
    await writeFile(file, "{}");
    await chmod(file, 0o444);
    await expect(install()).rejects.toMatchObject({ reason: "file_unwritable" });
    expect(await names()).toEqual(["mcp.json"]);
  });
});

describe("what cannot be edited", () => {
  it("is a link to nothing, which stays a link", async () => {
    await symlink("nowhere", file);
    await expect(install()).rejects.toThrow("is not a file of at most 16 MiB; nothing was changed");
    expect(await names()).toEqual(["mcp.json"]);
  });

  it("is a pipe, and nobody waits for it", async () => {
    execFileSync("mkfifo", [file]);
    await expect(install()).rejects.toMatchObject({ reason: "file_not_editable" });
  });

  it("is a file beyond the limit", async () => {
    await writeFile(file, `{"a": "${"x".repeat(17_000_000)}"}`);
    await expect(install()).rejects.toThrow("is not a file of at most 16 MiB");
  });

  it("is a file with one text of megabytes", async () => {
    await writeFile(file, `{"a": "${"x".repeat(9_000_000)}"}`);
    await expect(install()).rejects.toThrow("holds a text that is too long; nothing was changed");
  });

  it.each(["[]", '"x"', "null", "7"])("is a list of servers that is %s", async (servers) => {
    await writeFile(file, `{"mcpServers": ${servers}}`);
    await expect(install()).rejects.toThrow('has a "mcpServers" that is not an object');
    expect(await names()).toEqual(["mcp.json"]);
  });
});
