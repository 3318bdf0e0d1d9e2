// `clawtools browser` as a person uses it: one command keeps a browser open, others use it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runNodeWithin } from "../../fakes/run-node.js";
import { BIN, createSandbox } from "../run-cli.js";
import { keepOpen, type Site, servePages, TEST_MS } from "./setting.js";

const PAGE = `<!doctype html><title>Desk</title><h1>Desk</h1><label>Name <input></label>
<button onclick="document.querySelector('p').textContent = 'Hello'">Greet</button><p role=status></p>`;
/** Of one command that starts a browser, on a machine with much else to do. */
const SLOW_MS = 40_000;
const PNG = [0x89, 0x50, 0x4e, 0x47];

let site: Site;
let url = "";

beforeAll(async () => {
  site = await servePages({ "/": PAGE });
  url = site.url;
});
afterAll(() => site.close());

describe("clawtools browser", () => {
  it(
    "keeps a browser open, which other commands look at, act on and end",
    async () => {
      const sandbox = await createSandbox();
      const { run, runHere, root } = sandbox;
      const { ended, end } = await keepOpen(sandbox, url);
      onTestFinished(end);
      const shown = await run("browser", "snapshot");
      expect(shown.stdout).toMatch(/^t1 "Desk" http/);
      expect(shown.stdout).not.toContain("EXTERNAL_UNTRUSTED");
      const ref = /button "Greet" \[ref=(e\d+)\]/.exec(shown.stdout)?.[1] ?? "";
      const acted = await run("browser", "act", "click", ref);
      expect(acted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Hello") });
      const picture = join(root, "desk.png");
      expect(await run("browser", "screenshot", picture)).toMatchObject({
        exitCode: 0,
        stderr: "",
      });
      expect([...readFileSync(picture).subarray(0, PNG.length)]).toEqual(PNG);
      const deep = join(root, "no", "such", "desk.jpg");
      expect(await runHere("browser", "screenshot", deep)).toMatchObject({
        exitCode: 0,
        stderr: "",
      });
      expect(readFileSync(deep).length).toBeGreaterThan(0);
      const blocked = await runHere("browser", "screenshot", join(picture, "desk.png"));
      expect(blocked).toMatchObject({ exitCode: 2 });
      expect(blocked.stderr).toMatch(/Cannot save .*Name another file/);
      const flagged = await runHere("browser", "open", url, "--allow-local");
      expect(flagged).toMatchObject({ exitCode: 0, stderr: "" });
      const elsewhere = await runHere("browser", "open", "http://127.0.0.2:9/", "--allow-local");
      expect(elsewhere.stderr).toContain("is loopback");
      expect(elsewhere.stderr).not.toContain("--allow-local");
      const waited = await runHere("browser", "act", "wait", "zzz", "--timeout-ms", "300");
      expect(waited).toMatchObject({ exitCode: 9 });
      expect(waited.stderr).toMatch(/^Waited \d+ ms for .* with a larger --timeout-ms if/);
      const refused = await runHere("browser", "act", "click", "e999", "--json");
      expect(refused.exitCode).toBe(6);
      expect(JSON.parse(refused.stdout)).toMatchObject({ reason: "stale_ref", why: "unknown" });
      expect(await run("browser", "stop")).toMatchObject({ exitCode: 0 });
      expect(await ended).toBe(0);
      expect(await runHere("browser", "act", "click", ref)).toMatchObject({
        exitCode: 8,
        stderr: expect.stringContaining("No browser is kept open."),
      });
    },
    TEST_MS,
  );

  it(
    "looks at one page without a browser that is open, but at this machine only when allowed",
    async () => {
      const { root, env } = await createSandbox();
      const run = (...words: string[]) =>
        runNodeWithin(SLOW_MS, { args: [BIN, "--root", root, ...words], env });
      const refused = await run("browser", "snapshot", "--url", url);
      expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
      expect(refused.stderr).toContain("--allow-local");
      const shown = await run(
        "browser",
        "snapshot",
        "--url",
        url,
        "--allow-local",
        "--interactive",
      );
      expect(shown.stdout, shown.stderr).toMatch(/- textbox "Name" \[ref=e\d+\]\n- button "Greet"/);
    },
    TEST_MS,
  );

  it(
    "says how this machine is reached, whatever form the answer has",
    async () => {
      const { runHere } = await createSandbox();
      const asJson = await runHere("browser", "snapshot", "--url", url, "--json");
      expect(JSON.parse(asJson.stdout)).toMatchObject({ reason: "address_refused" });
      expect(asJson.stderr).toContain("To open a page of this machine, add --allow-local");
      const given = JSON.stringify({ action: "open", targetUrl: url });
      const called = await runHere("tools", "call", "browser", "--json", given);
      expect(called).toMatchObject({ exitCode: 3, stdout: expect.stringContaining("loopback") });
      expect(called.stderr).toContain("To open a page of this machine, add --allow-local");
    },
    TEST_MS,
  );

  it("doctor tries the address of a profile, and its exit code says when nobody is there", async () => {
    const far = { cdpUrl: "http://127.0.0.1:1" };
    const { runHere } = await createSandbox({ config: { browser: { profiles: { far } } } });
    const { exitCode, stdout } = await runHere("browser", "doctor", "--profile", "far");
    expect(stdout).toMatch(/^warning address: No browser could be reached at http:/m);
    expect(exitCode).toBe(1);
  });

  it(
    "says what is there without starting it, and refuses wrong words",
    async () => {
      const { run, runHere } = await createSandbox();
      expect((await run("browser", "status")).stdout).toContain("Profile chrome: not running");
      expect(await runHere("browser", "act", "fly")).toMatchObject({ exitCode: 2 });
      const unknown = await runHere("browser", "open", url, "--profile", "work");
      const create = '{"action":"create-profile","profile":"work"}';
      expect(unknown.stderr).toMatch(/known: chrome\. .*create-profile/);
      expect(unknown.stderr).toContain(`clawtools browser call '${create}'`);
      expect(await run("browser", "call", create)).toMatchObject({ exitCode: 0 });
      const profiles = await runHere("browser", "call", '{"action":"profiles"}');
      expect(profiles.stdout).toMatch(/^chrome .*\nwork /);
      expect(await runHere("browser", "snapshot", "--page", "x")).toMatchObject({ exitCode: 2 });
      expect(await runHere("browser", "screenshot", "a.gif")).toMatchObject({ exitCode: 2 });
    },
    TEST_MS,
  );
});
