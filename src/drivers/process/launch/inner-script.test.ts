// The shell around a command: what it runs, when, and as what.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { findShells, innerCommand, READY_BYTE } from "./inner-script.js";

const READY = String.fromCharCode(READY_BYTE);

/** The limits come first, so they can prepare the answer to the handshake. */
function run(text: string, setupScript: string) {
  const shells = findShells();
  if (shells === undefined) throw new Error("these tests need bash");
  const work = { kind: "script", text } as const;
  const [file, ...args] = innerCommand({
    ...{ work, shells, setupScript },
    ...{ smallSetupScript: "", startsInit: false },
  });
  const { status, stdout } = spawnSync(file, args, { encoding: "utf8", input: "" });
  return { status, stdout };
}

/** Behind what a command prints, the messages of the shell. */
function messagesOf(text: string, handshake?: string): string {
  const shells = findShells();
  if (shells === undefined) throw new Error("these tests need bash");
  const work = { kind: "script", text } as const;
  const request = { work, shells, setupScript: GO, smallSetupScript: "", startsInit: false };
  const [file, ...args] = innerCommand(
    handshake === undefined ? request : { ...request, handshake },
  );
  return spawnSync(file, args, { encoding: "utf8", input: "" }).stderr;
}

describe.each(["dash", "bash"])("one program, started by %s", (name) => {
  it.each([[""], ["exec 5</"], ["exec 20</"], ["exec 4</ 9</ 10</ 100</ 251</"]])(
    "has no descriptor beside its own three after %j",
    (opening) => {
      const shells = findShells();
      if (shells?.small === undefined) throw new Error("these tests need bash and dash");
      const work = { kind: "argv", argv: ["/bin/ls", "/proc/self/fd"] } as const;
      const words = innerCommand({
        work,
        shells: name === "dash" ? shells : { ...shells, small: undefined },
        setupScript: "",
        smallSetupScript: "",
        startsInit: false,
      });
      expect(words[0]).toContain(name);
      const script = `exec 3< <(printf 'go\\n'); ${opening}\nexec "$@"`;
      const { stdout } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" });
      // The fourth is the folder that is listed.
      expect(stdout).toBe(`${READY}0\n1\n2\n3\n`);
    },
  );
});

/** What is told goes nowhere, what is waited for is there. */
const GO = 'exec 3<<<"go"; printf() { unset -f printf; }';
const LONG = `# ${"x".repeat(100_000)}\n`;

describe.each([
  ["a short text", ""],
  ["a text that fills a word of its own", LONG],
])("%s", (_name, before) => {
  it("runs without words of the shell around it", () => {
    const text = `${before}printf '%s %s\\n' "$#" "$0"\nexit 3`;
    expect(run(text, GO)).toEqual({ status: 3, stdout: "0 bash\n" });
  });

  it("is not even read when nobody says go", () => {
    const text = `${before}echo ran\nif then`;
    expect(run(text, ":")).toEqual({ status: 97, stdout: READY });
  });
});

it("the last program of a short text takes the place of the shell", () => {
  const { stdout } = run("echo $$\nsh -c 'echo $$'", GO);
  const [shell, program] = stdout.trim().split("\n");
  expect(program).toBe(shell);
});

describe("a message of the shell", () => {
  it.each(["no-such-program 'a b' $HOME", 'true; no-such-program "x"', "cd /no/such/folder"])(
    "names the first line of %j, by pipes and in a terminal",
    (text) => {
      expect(messagesOf(text)).toMatch(/^bash: line 1: /);
      expect(messagesOf(text, ":")).toMatch(/^bash: line 1: /);
    },
  );

  it("about a text that cannot be read comes from the text, not from the words before it", () => {
    for (const text of ["fi", "echo 'a", "echo a; done", "a=(", "echo a &&", "if true"]) {
      const message = messagesOf(text);
      expect(message).toMatch(/syntax error|unexpected EOF/);
      expect(message).not.toMatch(/exec|unset/);
    }
  });
});

it.each([
  ["a program", { kind: "argv", argv: ["/usr/bin/env"] }, ""],
  [
    "a program, where bash takes the place of the small shell",
    { kind: "argv", argv: ["/usr/bin/env"] },
    "exec 20</",
  ],
  ["a script", { kind: "script", text: "env" }, ""],
] as const)(
  "%s has the language that the programs around it do without",
  (_name, work, opening) => {
    const shells = findShells();
    if (shells?.small === undefined) throw new Error("these tests need bash and dash");
    const language = { LANG: "C.UTF-8", LC_ALL: "xx_YY.not-installed" };
    const [file, ...args] = innerCommand({
      work,
      language,
      shells,
      setupScript: "",
      smallSetupScript: "",
      startsInit: true,
    });
    const script = `exec 3< <(printf 'go\\n')\n${opening}\nexec "$@"`;
    const words = ["--norc", "-c", script, "bash", file, ...args];
    const env = { PATH: "/usr/bin:/bin" };
    const { stdout } = spawnSync("bash", words, { encoding: "utf8", env });
    expect(stdout).toContain("LANG=C.UTF-8\n");
    expect(stdout).toContain("LC_ALL=xx_YY.not-installed\n");
  },
);

it("what a text does is the same on one line with the words before it", () => {
  const text = `A=1; echo $A 'q;"' "b $A c"; test $A = 2`;
  expect(run(text, GO)).toEqual({ status: 1, stdout: `1 q;" b 1 c\n` });
});
