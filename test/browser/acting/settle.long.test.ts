// When an act has its answer: as soon as the page is still, never because everything is loaded.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolError } from "../../../src/core/index.js";
import { createStage, refusal, type Scene, type Stage, scope, timed } from "./stage.js";

/** Promised are 80 ms; well below the cap, which a click that never sees the page rest would take. */
const PLAIN_MS = 1_000;
/** A click that is not held up takes a tenth of it. */
const CAP_MS = 1_500;
/** Each click would be held up; that other work shares the machine slows one or two of them. */
const ROUNDS = 4;
const ROOM_MS = 5_000;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
  stage.route("/slow.json", (_request, response) => {
    setTimeout(() => response.end('{"name":"late"}'), 200);
  });
  stage.route("/never", (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.write("<h1>Begun</h1><button onclick=\"this.textContent='Clicked'\">Go</button>");
  });
  stage.route("/silent", () => undefined);
  stage.route("/events", (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: hello\n\n");
  });
});
afterAll(() => stage.close());

/** The time of the quickest of several clicks, and what each of them told. */
async function clickOften(ref: string) {
  const clicks = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    clicks.push(await timed(() => scene.port.act({ kind: "click", ref }, scope)));
  }
  const changes = clicks.map(({ value }) => value.change);
  return { changes, quickestMs: Math.min(...clicks.map(({ ms }) => ms)) };
}

describe("a click", () => {
  it("on a quiet page takes little more than the time to see that it is quiet", async () => {
    scene = await stage.open('<button onclick="this.dataset.n = 1">Go</button>');
    const ref = await scene.ref("button", "Go");
    expect((await clickOften(ref)).quickestMs).toBeLessThan(PLAIN_MS);
  });

  it("waits for what is drawn a moment later", async () => {
    scene =
      await stage.open(`<button onclick="requestAnimationFrame(() => requestAnimationFrame(() => {
      document.body.append(Object.assign(document.createElement('button'), {textContent: 'Drawn'})) }))">
      Draw</button>`);
    const { change } = await scene.click("button", "Draw");
    expect(change.added.map(({ name }) => name)).toContain("Drawn");
  });

  it("waits for what it fetched", async () => {
    scene = await stage.open(`<button onclick="fetch('/slow.json').then(r => r.json()).then(j => {
      document.body.append(Object.assign(document.createElement('button'), {textContent: j.name})) })">
      Load</button>`);
    const { change } = await scene.click("button", "Load");
    expect(change.added.map(({ name }) => name)).toContain("late");
    expect(change.isUnsettled).toBe(false);
  });

  it("that opens another document waits until that is read", async () => {
    const next = stage.serve("<h1>Next page</h1><script>document.body.append('more')</script>");
    scene = await stage.open(`<a href="${next}">On</a>`);
    const { change } = await scene.click("link", "On");
    expect(change.isNewDocument).toBe(true);
    expect(change.tab.url).toBe(next);
    expect(change.added.map(({ name }) => name)).toContain("Next page");
  });

  it("that changes the address in the page is told with what it shows", async () => {
    scene = await stage.open(`<button onclick="history.pushState({}, '', '/elsewhere');
      document.querySelector('h1').textContent = 'Elsewhere'">Go</button><h1>Here</h1>`);
    const { change } = await scene.click("button", "Go");
    expect(change.tab.url).toMatch(/\/elsewhere$/);
    expect(change.isNewDocument).toBe(false);
    expect(change.changed.map(({ now }) => now.name)).toContain("Elsewhere");
  });

  it("tells in the next answer what came later", async () => {
    scene = await stage.open(`<button onclick="setTimeout(() => { document.body.append(
      Object.assign(document.createElement('button'), {textContent: 'Late'})) }, 400)">Go</button>
      <button>Other</button>`);
    await scene.listed();
    const first = await scene.click("button", "Go");
    expect(first.change.added).toEqual([]);
    const { change } = await scene.port.act({ kind: "wait", text: "Late" }, scope);
    expect(change.added.map(({ name }) => name)).toContain("Late");
  });

  it.each([
    ["a picture", "document.body.append(Object.assign(new Image(), {src: '/silent'}))"],
    ["a stream of events", "window.s = new EventSource('/events')"],
    ["an endless animation", "setInterval(() => { this.style.left = Math.random() + 'px' }, 8)"],
  ])("does not wait for %s", async (_what, script) => {
    scene = await stage.open(`<button onclick="${script}">Go</button>`);
    const ref = await scene.ref("button", "Go");
    const { changes, quickestMs } = await clickOften(ref);
    expect(changes.map(({ isUnsettled }) => isUnsettled)).not.toContain(true);
    expect(quickestMs).toBeLessThan(CAP_MS);
  });

  it("gives up on an answer that never comes, and says so", async () => {
    scene = await stage.open(`<button onclick="fetch('/silent')">Go</button>`);
    const ref = await scene.ref("button", "Go");
    const { value, ms } = await timed(() => scene.port.act({ kind: "click", ref }, scope));
    expect(value.change.isUnsettled).toBe(true);
    expect(ms).toBeLessThan(CAP_MS + ROOM_MS);
    // The next one does not wait for it again.
    const again = await timed(() => scene.port.act({ kind: "hover", ref }, scope));
    expect(again.value.change.isUnsettled).toBe(false);
  });

  it("on a page that never rests is not held up for long", async () => {
    scene = await stage.open(`<button>Go</button><p id=p></p><script>
      setInterval(() => { p.textContent = performance.now() }, 10)</script>`);
    const ref = await scene.ref("button", "Go");
    expect((await clickOften(ref)).quickestMs).toBeLessThan(CAP_MS);
  });
});

describe("a page that never finishes loading", () => {
  it("is opened, read and clicked", async () => {
    scene = await stage.open("<p>before</p>", {});
    const url = `${new URL(stage.serve("x")).origin}/never`;
    const { value, ms } = await timed(() => scene.port.navigate({ url, ...scope }));
    expect(value.added.map(({ name }) => name)).toContain("Begun");
    expect(ms).toBeLessThan(CAP_MS + ROOM_MS);
    await scene.click("button", "Go");
    await scene.ref("button", "Clicked");
    await scene.close();
  });

  it("or never answers at all is told after the time that was given", async () => {
    scene = await stage.open("<p>before</p>");
    const url = `${new URL(stage.serve("x")).origin}/silent`;
    const error = await scene.port
      .navigate({ url, timeoutMs: 700, ...scope })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "timeout", reason: "browser_timeout" });
    await scene.port.navigate({ url: stage.serve("<h1>Well</h1>"), ...scope });
  });
});

describe("an address that cannot be opened", () => {
  it("after a redirect is told by the host that was refused", async () => {
    const refused = "https://127.0.0.9:9/";
    const url = stage.route("/redirect", (_request, response) => {
      response.writeHead(302, { location: refused }).end();
    });
    const { hostname: host, host: place } = new URL(refused);
    const message = `${host} is a private address.`;
    const error = new ToolError("denied", message, { reason: "address_refused" });
    stage.denials.set(place, { host, port: 9, atMs: Infinity, error });
    scene = await stage.open("<p>before</p>");
    const given = await refusal(scene.port.navigate({ url, ...scope }));
    expect(given).toMatchObject({ code: "denied", reason: "address_refused", details: { host } });
    expect(given.message).toMatch(new RegExp(`^${message} The tab has left the page before`));
    stage.denials.delete(place);
    const failed = await refusal(scene.port.navigate({ url, ...scope }));
    expect(failed).toMatchObject({ reason: "navigation_failed", details: { url: refused } });
    await scene.port.navigate({ url: stage.serve("<h1>Well</h1>"), ...scope });
  });

  it("is tried again when the page of an earlier failure comes in between", async () => {
    const late =
      'page.goto: Navigation to "x" is interrupted by another navigation to "chrome-error://chromewebdata/"';
    let tries = 0;
    scene = await stage.open("<p>before</p>", {});
    const real = scene.page.goto.bind(scene.page);
    scene.page.goto = (...args) => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error(late)) : real(...args);
    };
    const change = await scene.port.navigate({ url: stage.serve("<h1>Well</h1>"), ...scope });
    expect(change.added.map(({ name }) => name)).toContain("Well");
    expect([tries, change.events]).toEqual([2, []]);
    await scene.close();
  });
});

describe("a tab that got no document", () => {
  it.each([204, 205])("but the answer %s goes on as it was", async (status) => {
    const url = stage.route("/none", (_request, response) => response.writeHead(status).end());
    scene = await stage.open(`<a href="${url}">None</a><button>Go</button>`);
    await scene.click("link", "None");
    const { ms } = await timed(() => scene.click("button", "Go"));
    expect(ms).toBeLessThan(ROOM_MS);
  });
});

describe("a title", () => {
  it("that a busy page did not give in time is no news when it comes, and another one is", async () => {
    scene = await stage.open("<title>First</title>", {});
    const real = scene.page.title.bind(scene.page);
    scene.page.title = () => new Promise(() => undefined);
    await scene.port.navigate({ url: stage.serve("<title>Second</title>"), ...scope });
    scene.page.title = real;
    const look = () => scene.port.act({ kind: "wait", timeMs: 1 }, scope);
    expect((await look()).change.events).toEqual([]);
    await scene.page.evaluate("document.title = 'Third'");
    expect((await look()).change.events).toEqual(['The title is now "Third".']);
    await scene.close();
  });
});
