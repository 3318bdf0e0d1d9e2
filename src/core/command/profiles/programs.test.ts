// Profiles: which arguments of a program are known to be harmless, and which files they name.

import { describe, expect, it } from "vitest";
import { findProfile, isInterpreter, isSteering, isWrapper } from "./programs.js";

function read(command: string) {
  const [name = "", ...args] = command.split(" ");
  const profile = findProfile({ file: `/usr/bin/${name}`, path: `/usr/bin/${name}` });
  return profile?.read(args);
}

describe("paths that arguments name", () => {
  it.each([
    ["ls -la --color=auto src", ["src"]],
    ["cat -n a - b", ["a", "b"]],
    ["head -n 5 -c3 a", ["a"]],
    ["tail -20 a", ["a"]],
    ["grep -rn -A 3 x src docs", ["src", "docs"]],
    ["grep -e x a", ["a"]],
    ["grep --regexp=x --include=*.ts a", ["a"]],
    ["rg --files src", ["src"]],
    ["sort -k 2 -t , -- -a", ["-a"]],
    ["cut -d : -f1 a", ["a"]],
    ["tr a-z A-Z", []],
    ["find src docs -name x -newer a", ["src", "docs", "a"]],
    ["find . ( -name a -o -name b ) -print", ["."]],
    ["sed -n 5p a b", ["a", "b"]],
    ["awk -F : {print} a", ["a"]],
    ["jq -r .a a", ["a"]],
    ["tar tzf a.tgz member", ["a.tgz"]],
    ["test -f a", ["a"]],
    ["date -r a +%s", ["a"]],
    ["diff -u a b", ["a", "b"]],
    ["git log --oneline -5 --since 2020 main -- a", ["main", "a", "2020"]],
    ["git diff -M HEAD", ["HEAD"]],
    ["git --no-pager show HEAD", ["HEAD"]],
    ["echo -e anything --at=all", []],
    ["node --version", []],
  ])("%s", (command, paths) => {
    expect(read(command)).toMatchObject({ ok: true });
    const reading = read(command);
    expect(reading?.ok && reading.paths.map(({ word }) => word)).toEqual(paths);
  });
});

describe("what is added", () => {
  it.each(["sed -n 5p a", "diff a b", "git status", "git diff --stat", "git log -p x"])(
    "%s is read the same with the words that were added to it",
    (command) => {
      const [name = "", ...args] = command.split(" ");
      const first = findProfile({ file: name, path: name })?.read(args);
      if (!first?.ok || first.args === undefined) expect.fail("nothing was added");
      expect(first.args.length).toBe(args.length + (first.added?.length ?? 0));
      expect(findProfile({ file: name, path: name })?.read(first.args)).toMatchObject({
        ok: true,
        args: first.args,
        added: first.added,
        paths: first.paths,
      });
    },
  );
});

describe("options", () => {
  it.each([
    "ls --reverse",
    "ls --rev",
    "ls -L",
    "ls -aL",
    "head --lines",
    "cat --number=1",
    "sort --output=x",
    "wc -x",
  ])("%s: only the first is listed by its whole name", (command) => {
    expect(read(command)?.ok).toBe(command === "ls --reverse");
  });
});

describe("kinds of programs", () => {
  const names = (file: string, path = file) => ({ file, path });

  it("versions and links are seen through", () => {
    expect(isInterpreter(names("/usr/bin/python3", "/usr/bin/python3.11"))).toBe(true);
    expect(isInterpreter(names("/usr/bin/perl5.36.0"))).toBe(true);
    expect(isSteering(names("/usr/bin/npm", "/usr/lib/npm/bin/npm-cli.js"))).toBe(true);
    expect(isWrapper(names("/opt/ls", "/usr/bin/env"))).toBe(true);
    expect(isSteering(names("/opt/acme/deploy"))).toBe(false);
    expect(findProfile(names("/usr/bin/awk", "/usr/bin/mawk"))?.names).toContain("awk");
  });

  it("one file with many names is each of them, by the name it is called", () => {
    expect(findProfile(names("/bin/ls", "/bin/busybox"))?.names).toContain("ls");
    expect(findProfile(names("/bin/busybox"))).toBeUndefined();
    expect(findProfile(names("/opt/wc", "/usr/bin/node"))?.names).toContain("node");
  });
});
