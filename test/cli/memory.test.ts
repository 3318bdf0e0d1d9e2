// `clawtools memory` as a person calls it.

import { describe, expect, it } from "vitest";
import { createSandbox, linesTooLong } from "./run-cli.js";

const FILES = {
  "memory/a.md": "# Walrus\n\nThe walrus sleeps on the ice.\n",
  "memory/picture.md": "\0\0\u0001binary\0\0",
};

describe("clawtools memory", () => {
  it("index, status and search work on one index", async () => {
    const { run } = await createSandbox({ files: FILES });
    const indexed = await run("memory", "index", "--json");
    expect(indexed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(indexed.stdout)).toMatchObject({ notes: 2, chunks: 1, staleNotes: 0 });
    const status = await run("memory", "status");
    expect(status.stdout).toMatch(/indexed\s+2 notes in 1 chunk$/m);
    expect(status.stdout).toContain("is a binary file");
    expect(linesTooLong(status.stdout.replace(/^.*(?:notes in|index) .*$/gm, ""))).toEqual([]);
    const found = await run("memory", "search", "walruss");
    expect(found.exitCode).toBe(0);
    expect(found.stdout).toContain("memory/a.md#L1-L3  0.50 weak");
    expect(found.stdout).toContain("walruss as walrus");
  });

  it("search ends with 1 when no note matches, and makes an index when there is none", async () => {
    const { runHere } = await createSandbox({ files: FILES });
    expect(await runHere("memory", "search", "xylophone")).toMatchObject({ exitCode: 1 });
    const { stdout } = await runHere("memory", "search", "seal", "--also", "walrus", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ hits: [{ path: "memory/a.md" }] });
  });

  it("takes several words, keeps the lines of a hit, and breaks no path", async () => {
    const { runHere, folder } = await createSandbox({ files: FILES });
    const { stdout } = await runHere("memory", "search", "ice", "walrus");
    expect(stdout).toContain("memory/a.md#L1-L3  1.00\n  # Walrus\n  The walrus sleeps");
    const status = await runHere("memory", "status");
    expect(status.stdout).toMatch(new RegExp(`^  index +${folder}\\S*\\.db$`, "m"));
  });

  it("says that there are no notes yet", async () => {
    const { runHere } = await createSandbox();
    const { exitCode, stdout } = await runHere("memory", "search", "walrus");
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: "No notes yet. Write MEMORY.md or memory/NAME.md.\n",
    });
  });

  it("names a root that does not exist", async () => {
    const { runHere, folder } = await createSandbox();
    const run = await runHere("memory", "search", "walrus", "--root", `${folder}/nope`);
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toContain(`The root "${folder}/nope" does not exist.`);
  });

  it("refuses a number of hits that is none", async () => {
    const { runHere } = await createSandbox({ files: FILES });
    expect(await runHere("memory", "search", "walrus", "--max", "many")).toMatchObject({
      exitCode: 2,
    });
  });

  it("says that the memory of an agent is turned off", async () => {
    const config = { agents: { defaults: { memorySearch: { enabled: false } } } };
    const { runHere } = await createSandbox({ config, files: FILES });
    const { exitCode, stderr } = await runHere("memory", "status");
    expect(exitCode).toBe(8);
    expect(stderr).toContain("memorySearch.enabled");
  });
});
