// Screens, and real commands in real terminals.
import { describe, expect, it, onTestFinished } from "vitest";
import { signal } from "../launch/kill-ladder.js";
import { createScreenOutput, type ScreenRecorder } from "./screen-output.js";
import { DEFAULT_SIGNALS, spawnTerminal, terminalHandshake } from "./spawn-terminal.js";

const TOKEN = "token-7f3a";
/** The set-up brings it, so its absence is a failure. */
const BWRAP = "/usr/bin/bwrap";
const ENVIRONMENT = { PATH: "/usr/bin:/bin", TERM: "xterm-256color" };

async function createRecorder(size = { columns: 40, rows: 5 }): Promise<ScreenRecorder> {
  return createScreenOutput({ ...size, logPath: undefined, answer: () => undefined });
}

async function show(text: string, size?: { columns: number; rows: number }): Promise<string> {
  const recorder = await createRecorder(size);
  recorder.onChunk(Buffer.from(text));
  await recorder.finish();
  return recorder.output.view(10_000).text;
}

describe("the screen of a terminal", () => {
  it.each([
    ["colours are no text", "\x1b[31mred\x1b[0m\r\n", "red\n"],
    ["a progress bar is what it was last", "10%\r50%\r99%\r\ndone\r\n", "99%\ndone\n"],
    ["shorter text leaves what it does not cover", "abcdef\rXY\r\n", "XYcdef\n"],
    ["the cursor can go up", "one\r\ntwo\r\n\x1b[2AONE\r\n\r\n", "ONE\ntwo\n"],
    ["a cleared screen is empty", "secret\r\n\x1b[2J\x1b[Hnew\r\n", "new\n"],
    [
      "a line too wide for the screen is one line",
      `${"x".repeat(100)}\r\nnext\r\n`,
      `${"x".repeat(100)}\nnext\n`,
    ],
  ])("%s", async (_title, text, wanted) => {
    expect(await show(text)).toBe(wanted);
  });

  it("keeps every line that scrolled off it, in their order", async () => {
    const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`);
    const recorder = await createRecorder();
    for (let at = 0; at < lines.length; at += 500) {
      recorder.onChunk(Buffer.from(`${lines.slice(at, at + 500).join("\r\n")}\r\n`));
    }
    await recorder.finish();
    expect(recorder.output.view(1_000_000).text).toBe(`${lines.join("\n")}\n`);
  });

  it("loses no empty lines, however many come at once", async () => {
    const text = await show(`first\r\n${"\n".repeat(5_000)}last\r\n`);
    expect(text).toBe(`first\n${"\n".repeat(5_000)}last\n`);
  });

  it("gives news from the place where it was last shown", async () => {
    const recorder = await createRecorder();
    const take = async (text: string) => {
      recorder.onChunk(Buffer.from(text));
      await recorder.drained();
      return recorder.output.take(1_000).text;
    };
    expect(await take("welcome\r\n$ ")).toBe("welcome\n$");
    expect(await take("ls\r\na.txt\r\n$ ")).toBe(" ls\na.txt\n$");
    expect(await take("")).toBe("");
    expect(await take("\r> 1\r\n2\r\n3\r\n4\r\n5\r\n6")).toContain("> 1\n2\n3\n4\n5\n6");
    await recorder.finish();
    expect(recorder.output.take(1_000).text.trim()).toBe("");
  });

  it("shows a screen of its own whole once something has changed on it", async () => {
    const recorder = await createRecorder();
    const take = async (text: string) => {
      recorder.onChunk(Buffer.from(text));
      await recorder.drained();
      return recorder.output.take(1_000).text;
    };
    await take("$ vim\r\n");
    expect(await take("\x1b[?1049h\x1b[Hfile\r\n~\r\n~")).toContain("file\n~\n~");
    expect(await take("")).toBe("");
    expect(await take("\x1b[1;1Hfilm")).toContain("film\n~\n~");
    await recorder.finish();
  });

  it("knows the mode of the cursor keys", async () => {
    const recorder = await createRecorder();
    expect(recorder.applicationCursor).toBe(false);
    recorder.onChunk(Buffer.from("\x1b[?1h"));
    await recorder.drained();
    expect(recorder.applicationCursor).toBe(true);
    await recorder.finish();
  });

  it("answers when a program asks where the cursor is", async () => {
    const answers: string[] = [];
    const recorder = await createScreenOutput({
      columns: 40,
      rows: 5,
      logPath: undefined,
      answer: (bytes) => answers.push(Buffer.from(bytes).toString()),
    });
    recorder.onChunk(Buffer.from("ab\x1b[6n"));
    await recorder.finish();
    expect(answers).toEqual(["\x1b[1;3R"]);
  });
});

async function start(script: string, enclose: readonly string[] = []) {
  const recorder = await createRecorder({ columns: 100, rows: 30 });
  const inner = `${terminalHandshake(TOKEN)}; eval "$1"`;
  const [file, ...args] = [
    ...enclose,
    ...DEFAULT_SIGNALS,
    "bash",
    "--noprofile",
    "--norc",
    "-p",
    "-c",
    inner,
    "sh",
    script,
  ];
  let resolve: () => void = () => undefined;
  const sawText = new Promise<void>((done) => {
    resolve = done;
  });
  const child = await spawnTerminal({
    file: file ?? "",
    args,
    cwd: "/",
    env: ENVIRONMENT,
    columns: 100,
    rows: 30,
    token: TOKEN,
    onData(bytes) {
      recorder.onChunk(bytes);
      if (Buffer.from(bytes).includes("waiting")) resolve();
    },
  });
  onTestFinished(() => signal(child.pid, "SIGKILL"));
  return { child, recorder, sawText };
}

async function finish({ child, recorder }: Awaited<ReturnType<typeof start>>) {
  const end = await child.exited;
  await recorder.finish();
  return { ...end, text: recorder.output.view(10_000).text };
}

/** Waits in short turns: a signal just before a read would be seen only after it. */
const TRAP_SCRIPT =
  "trap 'echo caught; exit 3' INT; echo waiting; while :; do read -r -t 0.2 line; done";

describe("a command in a terminal", () => {
  it("has a terminal of the asked size, and its start is not part of the output", async () => {
    const run = await start("tty; stty size; [ -t 0 ] && [ -t 1 ] && echo both; exit 5");
    await run.child.ready;
    run.child.go();
    const { exitCode, text } = await finish(run);
    expect(exitCode).toBe(5);
    expect(text).toMatch(/^\/dev\/\S+\n30 100\nboth\n$/);
  });

  it("does not begin without the word to go", async () => {
    const run = await start("echo begun");
    await run.child.ready;
    run.child.write(Buffer.from("no\n"));
    expect(await finish(run)).toMatchObject({ exitCode: 97, text: "" });
  });

  it("is read to its last word, however fast it ends", async () => {
    const ends: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const run = await start(`seq 1 ${20_000 + turn}; echo last`);
      await run.child.ready;
      run.child.go();
      ends.push((await finish(run)).text.slice(-11));
    }
    expect(ends).toEqual(Array.from({ length: 12 }, (_, turn) => `${20_000 + turn}\nlast\n`));
  });

  it("shows nothing of the mark at its end, wherever its output went", async () => {
    const run = await start("exec > /dev/null; echo hidden; trap -p EXIT >&2; exit 4");
    await run.child.ready;
    run.child.go();
    const { exitCode, text } = await finish(run);
    expect(exitCode).toBe(4);
    expect(text).toMatch(/^trap -- .* EXIT\n$/);
  });

  it("is told of when it ends before it began", async () => {
    const recorder = await createRecorder();
    const child = await spawnTerminal({
      file: "/bin/false",
      args: [],
      cwd: "/",
      env: ENVIRONMENT,
      columns: 80,
      rows: 24,
      token: TOKEN,
      onData: (bytes) => recorder.onChunk(bytes),
    });
    await expect(child.ready).rejects.toMatchObject({ code: "failed", reason: "start_failed" });
    await recorder.finish();
  });

  it("reads what is written, byte for byte", async () => {
    const run = await start("stty raw -echo; echo waiting; head -c 4 | od -An -tx1");
    await run.child.ready;
    run.child.go();
    await run.sawText;
    run.child.write(Buffer.from([0x00, 0xc3, 0xa9, 0xff]));
    expect((await finish(run)).text).toContain("00 c3 a9 ff");
  });

  it("gets ^C itself", async () => {
    const run = await start(TRAP_SCRIPT);
    await run.child.ready;
    run.child.go();
    await run.sawText;
    run.child.write(Buffer.from("\x03"));
    expect(await finish(run)).toMatchObject({ exitCode: 3, text: "waiting\n^Ccaught\n" });
  });

  it.runIf(process.platform === "linux")("gets ^C itself inside a sandbox too", async () => {
    const sandbox = [
      BWRAP,
      "--unshare-all",
      "--die-with-parent",
      "--ro-bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
    ];
    const run = await start(TRAP_SCRIPT, sandbox);
    await run.child.ready;
    run.child.go();
    await run.sawText;
    run.child.write(Buffer.from("\x03"));
    expect(await finish(run)).toMatchObject({ exitCode: 3, text: "waiting\n^Ccaught\n" });
  });
});
