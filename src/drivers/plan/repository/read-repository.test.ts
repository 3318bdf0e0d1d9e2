// Our reading of a repository against git's own.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "./read-config.js";
import { listIndex } from "./read-repository.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repository-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): string {
  const env = { PATH: "/usr/bin:/bin", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  return execFileSync("git", [...who, ...args], { cwd: folder, env, encoding: "utf8" });
}

function makeRepository(...options: string[]): void {
  git("init", "-q", ...options);
  for (const part of ["a", "a/b", `long/${"x".repeat(200)}/${"y".repeat(200)}`, "é"]) {
    mkdirSync(join(folder, part), { recursive: true });
    for (const name of ["one", "one.txt", "two"]) writeFileSync(join(folder, part, name), name);
  }
  git("add", ".");
}

const indexBytes = () => readFileSync(join(folder, ".git/index"));

describe("the names of an index are those that git lists", () => {
  it.each<[string, () => void]>([
    ["version 2", () => git("update-index", "--index-version", "2")],
    [
      "version 3, with a file that is only intended",
      () => {
        writeFileSync(join(folder, "later"), "");
        git("add", "-N", "later");
      },
    ],
    ["with a tree", () => git("commit", "-qm", "x")],
    ["with a cache of what is not tracked", () => git("update-index", "--force-untracked-cache")],
    ["of nothing", () => git("rm", "-rqf", "--cached", ".")],
  ])("%s", (_, prepare) => {
    makeRepository();
    prepare();
    expect(listIndex(indexBytes(), 20)).toEqual(git("ls-files", "-z").split("\0").slice(0, -1));
  });

  it("with long hashes", () => {
    makeRepository("--object-format=sha256");
    expect(listIndex(indexBytes(), 32)).toEqual(git("ls-files", "-z").split("\0").slice(0, -1));
    expect(() => listIndex(indexBytes(), 20)).toThrow();
  });
});

describe("an index is not read", () => {
  it.each<[string, () => void]>([
    ["of version 4", () => git("update-index", "--index-version", "4")],
    ["that is split", () => git("update-index", "--split-index")],
    ["with tables for threads", () => git("-c", "index.threads=2", "add", "--renormalize", ".")],
    [
      "that is sparse",
      () => {
        git("commit", "-qm", "x");
        git("sparse-checkout", "init", "--cone", "--sparse-index");
        git("sparse-checkout", "set", "a");
      },
    ],
  ])("%s", (_, prepare) => {
    makeRepository();
    prepare();
    expect(() => listIndex(indexBytes(), 20)).toThrow("not understood");
  });

  it("whose lengths disagree with its names, or that is cut", () => {
    makeRepository();
    const bytes = indexBytes();
    for (let end = 0; end < bytes.length; end += 7) {
      expect(() => listIndex(bytes.subarray(0, end), 20)).toThrow();
    }
    bytes.writeUInt16BE(bytes.readUInt16BE(72) - 1, 72);
    expect(() => listIndex(bytes, 20)).toThrow("not understood");
  });
});

const CONFIGS = [
  '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/*:refs/*\n',
  "[CORE]FileMode=true\n[user] name=A ; [b]\n# [c]\nemail = x # y\n",
  '[a "b \\"] \\\\ c"]\n\td = "e ; # f" g \\\n h = 1\n\ti\n',
  "[a.B.c]\r\n\td = x \\\r\n y\r\n\te = \r\n\tf",
  '[a]\n\tb = x ; y \\\n\tc = z\n\td = "\\\n[e]"\n[f]\n\n\tg=1',
  '[alias]\n\tx = "!f() { echo \\"$1\\"; }; f"\n\ty = !sh -c \'echo "a;b"\'\n',
];

describe("settings", () => {
  it.each(CONFIGS)("have the keys and values that git lists: %j", async (text) => {
    const path = join(folder, "config");
    writeFileSync(path, text);
    const listed = git("config", "-z", "--list", "-f", path).split("\0").slice(0, -1);
    const expected = listed.map((one) => [
      one.split("\n")[0]?.toLowerCase(),
      one.split("\n")[1] ?? "",
    ]);
    expect(await readConfig(path)).toEqual(expected);
  });

  it.each(['[a]\nb = "c\nd = e', "[a\nb = c", "[a]\n_ = 1", '[a "b"x]\nc = d'])(
    "are not understood where git does not either: %j",
    async (text) => {
      const path = join(folder, "config");
      writeFileSync(path, text);
      expect(() => git("config", "--list", "-f", path)).toThrow();
      await expect(readConfig(path)).rejects.toThrow("not understood");
    },
  );
});
