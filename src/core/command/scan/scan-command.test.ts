// The grammar: what is read, into which words, and what is refused for which reason.

import { describe, expect, it } from "vitest";
import { scanCommand } from "./scan-command.js";

function wordsOf(command: string): string[][] {
  const scanned = scanCommand(command);
  if (!scanned.ok) expect.fail(scanned.refusal.message);
  return scanned.steps.map(({ words }) => words.map(({ text }) => text));
}

function reasonOf(command: string): string {
  const scanned = scanCommand(command);
  return scanned.ok ? "read" : scanned.refusal.reason;
}

describe("words", () => {
  it.each([
    ["ls -la", ["ls", "-la"]],
    ["echo 'a b' \"c d\" e\\ f", ["echo", "a b", "c d", "e f"]],
    [`echo 'it'"'"'s'`, ["echo", "it's"]],
    [`echo "a\\"b" "c\\\\d" "e\\f" "\\$x"`, ["echo", 'a"b', "c\\d", "e\\f", "$x"]],
    [`grep "end$" "a$|b$"`, ["grep", "end$", "a$|b$"]],
    ["echo '' \"\"", ["echo", "", ""]],
    ["echo '$x' '`y`' '*'", ["echo", "$x", "`y`", "*"]],
    ["l's' \\-a", ["ls", "-a"]],
    [
      "echo a#b a~ {} } ] ! a=b 'two\nlines'",
      ["echo", "a#b", "a~", "{}", "}", "]", "!", "a=b", "two\nlines"],
    ],
    ["[ -f a ]", ["[", "-f", "a", "]"]],
  ])("%j is read as bash reads it", (command, words) => {
    expect(wordsOf(command)).toEqual([words]);
  });

  it("unquoted patterns are kept as patterns, with what was quoted marked", () => {
    const scanned = scanCommand(`ls *.ts 'a*'? [a-c]"[x]"`);
    if (!scanned.ok) expect.fail(scanned.refusal.message);
    expect(scanned.steps[0]?.words.map(({ pattern }) => pattern)).toEqual([
      undefined,
      "*.ts",
      "a\\*?",
      "[a-c]\\[x\\]",
    ]);
  });
});

describe("joins and redirects", () => {
  it("steps keep the operator that follows them; new lines are as good as a semicolon", () => {
    const scanned = scanCommand("a | b && c || d; e\n\nf &&\n g;\n");
    if (!scanned.ok) expect.fail(scanned.refusal.message);
    expect(scanned.steps.map(({ join }) => join)).toEqual([
      "|",
      "&&",
      "||",
      ";",
      ";",
      "&&",
      undefined,
    ]);
  });

  it.each([
    ["a > f", [{ kind: "write", fd: 1 }]],
    ["a>>f", [{ kind: "append", fd: 1 }]],
    ["a 2> f", [{ kind: "write", fd: 2 }]],
    ["a < f", [{ kind: "read", fd: 0 }]],
    ["a 2>&1", [{ kind: "duplicate", fd: 2, target: 1 }]],
    ["a >&2", [{ kind: "duplicate", fd: 1, target: 2 }]],
    [
      "a &> f",
      [
        { kind: "write", fd: 1 },
        { kind: "duplicate", fd: 2, target: 1 },
      ],
    ],
    [">f a >g 2>&1", [{ kind: "write" }, { kind: "write" }, { kind: "duplicate" }]],
  ])("%j has these redirects", (command, redirects) => {
    expect(scanCommand(command)).toMatchObject({ ok: true, steps: [{ redirects }] });
  });
});

describe("everything else is refused, with a reason and a place", () => {
  it.each([
    ["expansion", "echo $x"],
    ["expansion", 'echo "$x"'],
    ["expansion", "echo `a`"],
    ["expansion", 'echo "`a`"'],
    ["expansion", "cat ~/x"],
    ["expansion", "a --x=~/y"],
    ["expansion", "echo $'a'"],
    ["line_continuation", "a \\\nb"],
    ["line_continuation", '"a\\\nb"'],
    ["brace_expansion", "echo {a,b}"],
    ["brace_expansion", "echo {1..3}"],
    ["comment", "ls # all"],
    ["quote", "echo 'a"],
    ["quote", 'echo "a'],
    ["quote", "echo a\\"],
    ["pattern", "ls [[:alpha:]]"],
    ["pattern", "ls [z-a]"],
    ["pattern", "ls a["],
    ["shell_syntax", "a & b"],
    ["shell_syntax", "a |& b"],
    ["shell_syntax", "a ;& b"],
    ["shell_syntax", "(a)"],
    ["shell_syntax", "a;;b"],
    ["shell_syntax", "a &&"],
    ["shell_syntax", "| a"],
    ["shell_syntax", "> f"],
    ["redirect", "a <<E"],
    ["redirect", "a <<< b"],
    ["redirect", "a >| f"],
    ["redirect", "a >& f"],
    ["redirect", "a 3> f"],
    ["redirect", "a > *"],
    ["redirect", "a >"],
    ["redirect", "a 2>2>&1"],
    ["redirect", "{v}>f a"],
    ["program_name", "X=1 a"],
    ["program_name", "if a"],
    ["program_name", "a; time b"],
    ["program_name", "c?t a"],
    ["program_name", "'' a"],
    ["program_name", "%1"],
    ["control_character", "a\rb"],
    ["control_character", "a\u0085b"],
    ["broken_text", "a \udc00"],
    ["empty_command", " \n"],
  ])("%s: %j", (reason, command) => {
    expect(reasonOf(command)).toBe(reason);
  });

  it("the message names the place, counted from one, and what stands there", () => {
    const scanned = scanCommand("ls; echo $HOME");
    expect(scanned).toMatchObject({
      refusal: {
        message:
          'The command has an expansion at character 10, before "$HOME". Write out what it means, or put it in single quotes where it is meant as it is.',
      },
    });
  });
});
