// The commands that use a browser which another one keeps open: what they do, and that what they say to
// do next can be typed as it stands.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, sandboxIn } from "../run-cli.js";
import { type Keeping, keepOpen, type Site, servePages, TEST_MS } from "./setting.js";

const LINKS = Array.from({ length: 60 }, (_, index) => `<p><a href=#${index}>Link ${index}</a>`);
const PAGES = {
  "/": `<!doctype html><title>Form</title><label>Name <input></label>
    <label>Country <select><option>Norway<option>Peru</select></label><label>Notes <input></label>
    <button onclick="confirm('Sure?')">Ask</button><button onclick="prompt('Who?')">Who</button>`,
  "/files": `<!doctype html><title>Files</title><label>File <input type=file></label>
    <a href=/report.csv download>Report</a>`,
  "/report.csv": "name,age\n",
  "/long": `<!doctype html><title>Long</title>${LINKS.join("")}`,
  "/frame": `<!doctype html><title>Outer</title><button>Outside</button>
    <iframe srcdoc="<button>Inside</button><p>Words in it</p>"></iframe>
    <script>console.log("hello"); setTimeout(() => { throw new Error("broken"); });</script>`,
};

let site: Site;
let sandbox: Sandbox;
let keeping: Keeping;

beforeAll(async () => {
  site = await servePages(PAGES);
  const folder = mkdtempSync(join(tmpdir(), "clawtools-browser-"));
  mkdirSync(join(folder, "root"));
  writeFileSync(join(folder, "root", "note.txt"), "hi");
  sandbox = sandboxIn(folder);
  keeping = await keepOpen(sandbox, site.url);
}, TEST_MS);

afterAll(async () => {
  await keeping.end();
  await site.close();
  rmSync(sandbox.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const run = (...words: string[]) => sandbox.runHere("browser", ...words);

/** The page in the first tab, and the refs on it by the names of the elements. */
async function at(path: string): Promise<(name: string) => string> {
  const shown = await run("navigate", path, "--tab", "t1");
  expect(shown, shown.stderr).toMatchObject({ exitCode: 0 });
  const { stdout } = await run("snapshot", "--tab", "t1");
  return (name) => new RegExp(`"${name}" \\[ref=(e\\d+)\\]`).exec(stdout)?.[1] ?? "";
}

describe("commands on a page that is kept open", { timeout: TEST_MS }, () => {
  it("fill that fails midway says which fields were filled", async () => {
    const ref = await at("/");
    const fields = [`${ref("Name")}=Ada`, `${ref("Country")}=Mars`, `${ref("Notes")}=x`];
    const { exitCode, stderr } = await run("act", "fill", ...fields);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('has no option "Mars"');
    expect(stderr).toContain(
      `The fields before it were filled (${ref("Name")}), those after it not.`,
    );
  });

  it("a dialog is told with the command that answers it, wherever it is told", async () => {
    const ref = await at("/");
    const asked = await run("act", "click", ref("Ask"));
    const blocked = await run("snapshot");
    const [tabs, status] = [await run("tabs"), await run("status")];
    for (const text of [asked.stdout, blocked.stderr, tabs.stdout, status.stdout]) {
      expect(text).toContain("`clawtools browser dialog");
      expect(text).not.toMatch(/action dialog|promptText/);
    }
    expect(await run("dialog", "dismiss")).toMatchObject({ exitCode: 0 });
    const prompt = await run("act", "click", ref("Who"));
    expect(prompt.stdout).toContain("accept takes the text to give behind it");
    const answered = await run("dialog", "accept", "Ada");
    expect(answered.stdout).toContain("was accepted with text");
  });

  it("a long list is continued and narrowed by flags that the command has", async () => {
    await at("/long");
    const first = await run("snapshot", "--max-chars", "500");
    expect(first.stdout).toMatch(/--page 2 continues; --query, --ref or --selector narrows\./);
    const second = await run("snapshot", "--max-chars", "500", "--page", "2");
    expect(second.stdout).toContain("[Page 2 of ");
    const none = await run("snapshot", "--query", "zzz");
    expect(none.stdout).toContain("words in --query may match");
    const both = await run("screenshot", "a.png", "--full", "--labels");
    expect(both.stderr).toContain("leave out --ref and --full, or --labels");
  });

  it("snapshot and text have the flags of the tool", async () => {
    await at("/frame");
    const inside = await run("snapshot", "--frame", "iframe", "--efficient");
    expect(inside.stdout).toContain('button "Inside"');
    expect(inside.stdout).not.toContain("Outside");
    expect((await run("text", "--frame", "iframe", "--query", "words")).stdout).toMatch(
      /^Words in/,
    );
    expect((await run("snapshot", "--format", "aria", "--json")).stdout).toContain('"nodes"');
    const labelled = await run("snapshot", "--labels");
    const [, picture = ""] = /^Picture: (.*\.png)$/m.exec(labelled.stdout) ?? [];
    expect(readFileSync(picture).length).toBeGreaterThan(0);
    const missing = await run("snapshot", "--frame", "nope");
    expect(missing.stderr).toContain("`clawtools browser snapshot` without --frame");
  });

  it("console, errors and requests are listed", async () => {
    await at("/frame");
    expect((await run("console", "--level", "log")).stdout).toContain("[log] hello");
    expect((await run("errors")).stdout).toContain("broken");
    const requests = await run("requests", "--limit", "1");
    expect(requests.stdout).toContain("--limit shows more, --query only those");
  });

  it("files go into a page and come out of it", async () => {
    const ref = await at("/files");
    const { root } = sandbox;
    const slip = await run("upload", ref("File"), join(root, "note.txt"));
    expect(slip).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Write --ref e") });
    const typed = await run("act", "type", ref("File"), "note.txt");
    expect(typed.stderr).toContain("it takes files: use upload");
    const chosen = await run("act", "click", ref("File"));
    expect(chosen.stdout).toContain("give it files with `clawtools browser upload FILE`");
    const given = await run("upload", join(root, "note.txt"));
    expect(given.stdout).toContain("note.txt");
    const file = join(root, "sub", "mine.csv");
    const saved = await run("download", file, "--ref", ref("Report"));
    expect(saved).toMatchObject({ exitCode: 0, stdout: `Saved ${file} (9 bytes).\n` });
    expect(readFileSync(file, "utf8")).toBe(PAGES["/report.csv"]);
    const began = await run("act", "click", ref("Report"));
    let shown = began.stdout;
    const readOn = async () => (shown += (await run("act", "wait", "--time-ms", "20")).stdout);
    // A download that begins late is reported by the next answer.
    await expect.poll(readOn).toContain("save it with `clawtools browser download`");
    expect((await run("download")).stdout).toMatch(/^Saved .*report\.csv \(9 bytes\)\.$/m);
    const pdf = join(root, "page.pdf");
    expect(await run("pdf", pdf)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(pdf, "latin1").slice(0, 5)).toBe("%PDF-");
  });

  it("tabs are opened, brought to the front and closed", async () => {
    const ref = await at("/");
    const opened = await run("open", `${site.url}long`);
    const [tab = ""] = /^t\d+/.exec(opened.stdout) ?? [];
    const other = await run("act", "hover", ref("Ask"));
    expect(other.stderr).toContain("give --tab t1 with it, or `clawtools browser focus t1` first");
    expect((await run("focus", "t1")).stdout).toContain("t1 ");
    expect((await run("close", tab)).stdout).toBe(
      `Tab ${tab} is closed; the current one is t1 now.\n`,
    );
    expect(await run("close", tab)).toMatchObject({ exitCode: 5 });
    await at("/frame");
    expect((await run("navigate", "back")).stdout).toContain('"Form"');
  });

  it("wait takes its conditions as flags, and a time with its unit", async () => {
    const ref = await at("/");
    const waited = await run("act", "wait", "--time-ms", "20", "--selector", "select");
    expect(waited.stdout).toContain("Waited: 20 ms passed, select is visible.");
    const bare = await run("act", "wait");
    expect(bare.stderr).toContain("needs a TEXT, or one of --time-ms, --text-gone,");
    const json = await run("act", '{"kind":"wait","time":2}');
    expect(json.stderr).toContain('did you mean "timeMs" (milliseconds: 2000 is 2 seconds)?');
    const number = await run("act", "wait", "2", "--timeout-ms", "100");
    expect(number.stderr).toContain('Waiting for the text "2"; to wait for');
    const many = await run("act", "wait", "500", "--timeout-ms", "100");
    expect(many.stderr).toContain("to wait for a time use --time-ms 500.");
    const nothing = await run("act", "select", ref("Country"));
    expect(nothing.stderr).toContain("select needs another word");
    const short = await run("act", "drag", ref("Ask"));
    expect(short.stderr).toContain("drag needs another word; see `clawtools browser act --help`");
  });

  it("a call with the parameters of the tool is answered with them", async () => {
    await at("/long");
    const { stdout } = await run("call", '{"action":"snapshot","maxChars":500}');
    expect(stdout).toContain("page=2 continues; query, ref or selector narrows.");
  });
});
