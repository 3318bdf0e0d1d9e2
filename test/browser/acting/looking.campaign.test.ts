// Waiting, scripts, pictures, text and records of a page.

import { existsSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolError } from "../../../src/core/index.js";
import { itLong } from "../../fakes/campaign.js";
import { createStage, refusal, type Scene, type Stage, scope, timed } from "./stage.js";

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

describe("waiting", () => {
  it("ends when all that was asked for holds", async () => {
    scene = await stage.open(`<p id=p>Loading</p><script>setTimeout(() => { p.innerHTML =
      "<b class=ok>Ready  now</b>"; history.pushState({}, "", "/done/42"); }, 150)</script>`);
    const { change } = await scene.port.act(
      { kind: "wait", text: "ready now", textGone: "Loading", selector: ".ok", url: "**/done/*" },
      scope,
    );
    expect(change.tab.url).toMatch(/done\/42$/);
    await scene.port.act({ kind: "wait", url: "/done", loadState: "load" }, scope);
    await scene.port.act({ kind: "wait", fn: "() => document.title === ''" }, scope);
  });

  it("says what did not come", async () => {
    scene = await stage.open("<p>calm</p>");
    const wait = (what: object) =>
      refusal(scene.port.act({ kind: "wait", ...what }, { ...scope, timeoutMs: 300 }));
    expect((await wait({ text: "storm" })).message).toContain('the text "storm"');
    expect((await wait({ textGone: "calm" })).message).toContain("to go");
    expect((await wait({ selector: "#none" })).message).toContain("#none");
    expect((await wait({ url: "**/x" })).message).toContain("the address **/x");
    expect(await wait({ selector: "p[" })).toMatchObject({ reason: "selector_invalid" });
    expect(await wait({ timeMs: 5_000 })).toMatchObject({ reason: "browser_timeout" });
  });

  it("sees texts in frames and shadow roots", async () => {
    const inner = stage.serve("<p>framed text</p>");
    scene = await stage.open(`<iframe src="${inner}"></iframe><div id=h></div><script>
      h.attachShadow({mode: "open"}).innerHTML = "<p>shadowed text</p>"</script>`);
    const see = (text: string) => scene.port.act({ kind: "wait", text }, scope);
    await expect(see("framed text")).resolves.toBeDefined();
    await expect(see("shadowed text")).resolves.toBeDefined();
  });
});

describe("a script", () => {
  it.each([
    ["1 + 1", "2"],
    ["() => ({ a: [1, 'x'] })", '{"a":[1,"x"]}'],
    ["async () => { await null; return document.title }", '"T"'],
    ["function () { return 5 }", "5"],
    ["const x = 3; return x * 2;", "6"],
    ["document.title;", '"T"'],
    ["() => undefined", "undefined"],
    ["const a = { b: 1 }; a.own = a; return a", '"[object Object] with b, own, which is not JSON"'],
    ["10n", '"10"'],
    ["({ w: window })", '{"w":"[window]"}'],
    ["document.body.append(document.createElement('iframe')); return frames[0]", '"[window]"'],
  ])("%s gives %s", async (fn, result) => {
    scene = await stage.open("<title>T</title><p>x</p>");
    expect((await scene.port.act({ kind: "evaluate", fn }, scope)).result).toBe(result);
  });

  it("gets the element of a ref, also where the page forbids eval", async () => {
    const url = stage.route("/strict", (_request, response) => {
      response.writeHead(200, {
        "content-type": "text/html",
        "content-security-policy": "default-src 'none'; script-src 'none'",
      });
      response.end("<button data-x=7>Go</button>");
    });
    scene = await stage.open(url);
    const ref = await scene.ref("button", "Go");
    const { result } = await scene.port.act(
      { kind: "evaluate", ref, fn: "(element) => element.dataset.x" },
      scope,
    );
    expect(result).toBe('"7"');
    // Clicks work there too.
    await scene.port.act({ kind: "click", ref }, scope);
  });

  it("that fails says how, and one that is no script too", async () => {
    scene = await stage.open("<p>x</p>");
    const run = (fn: string) => refusal(scene.port.act({ kind: "evaluate", fn }, scope));
    expect(await run("() => { throw new TypeError('no good') }")).toMatchObject({
      reason: "evaluate_failed",
      message: expect.stringContaining("no good"),
    });
    expect(await run("const = 4")).toMatchObject({ reason: "evaluate_failed" });
  });

  itLong("with a large result is cut", async () => {
    scene = await stage.open("<p>x</p>");
    const { result } = await scene.port.act({ kind: "evaluate", fn: "'x'.repeat(1e6)" }, scope);
    expect(result?.length).toBeLessThan(120_000);
    expect(JSON.parse(result ?? "")).toMatchObject({ chars: 1_000_002 });
  });

  itLong("that never ends is stopped, and the page lives on", async () => {
    scene = await stage.open("<h1>Alive</h1>", {});
    const { value, ms } = await timed(() =>
      refusal(
        scene.port.act(
          { kind: "evaluate", fn: "() => { for (;;); }" },
          { ...scope, timeoutMs: 1_200 },
        ),
      ),
    );
    expect(value.reason).toBe("browser_timeout");
    expect(ms).toBeLessThan(20_000);
    await scene.ref("heading", "Alive");
    await scene.close();
  });

  it("is refused when scripts are off", async () => {
    scene = await stage.open("<p>x</p>", { evaluateEnabled: false });
    const actions = [
      { kind: "evaluate", fn: "1" },
      { kind: "wait", fn: "1" },
    ] as const;
    for (const action of actions) {
      const error = await refusal(scene.port.act(action, scope));
      expect(error).toMatchObject({ code: "denied", reason: "evaluate_disabled" });
    }
    await scene.close();
  });
});

describe("a picture", () => {
  it("has the size of the window, the element or the page", async () => {
    scene = await stage.open(`<body style="margin:0"><div id=d role=img aria-label=Box
      style="width:90px;height:70px;background:red"></div><div style="height:2000px"></div>`);
    expect(await scene.port.screenshot(scope)).toMatchObject({ width: 1000, height: 700 });
    const full = await scene.port.screenshot({ fullPage: true, type: "jpeg", ...scope });
    expect(full).toMatchObject({ mimeType: "image/jpeg", height: 2070 });
    expect(readFileSync(full.path)).toEqual(full.bytes);
    const ref = await scene.ref("img", "Box");
    expect(await scene.port.screenshot({ ref, ...scope })).toMatchObject({ width: 90, height: 70 });
    const byCss = await scene.port.screenshot({ element: "#d", ...scope });
    expect(byCss).toMatchObject({ width: 90, height: 70 });
    const error = await refusal(scene.port.screenshot({ element: "#none", ...scope }));
    expect(error.reason).toBe("element_not_found");
    await scene.read("void (d.style.height = '200000px')");
    const huge = await refusal(scene.port.screenshot({ fullPage: true, ...scope }));
    expect(huge).toMatchObject({ code: "limit", reason: "image_too_large" });
    expect(huge.message).toMatch(/1000x202000 pixels.*leave fullPage out/);
  });

  it("with labels numbers what can be acted on, and the page does not notice", async () => {
    scene = await stage.open(`<body style="margin:0;background:#fff">
      <button style="position:absolute;left:100px;top:100px;width:80px;height:40px">One</button>
      <a href=#x style="position:absolute;left:300px;top:200px">Two</a>
      <iframe style="position:absolute;left:360px;top:270px;border:25px solid #fff;padding:5px 15px" srcdoc="<button
        style='position:absolute;left:50px;top:50px'>Three</button>"></iframe>
      <script>window.noticed = 0; new MutationObserver(() => { noticed += 1; }).observe(document,
        {subtree: true, childList: true, attributes: true});</script>`);
    const image = await scene.port.screenshot({ labels: true, ...scope });
    expect(image.labels?.map(({ element }) => element.name)).toEqual(["One", "Two", "Three"]);
    expect(image.labelsSkipped).toBe(0);
    expect(await scene.read("noticed")).toBe(0);
    const { data, info } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
    ];
    expect(at(100, 120)).toEqual([255, 120, 0]);
    expect(at(450, 351)).toEqual([255, 120, 0]);
    expect(at(700, 600)).toEqual([255, 255, 255]);
  });

  itLong("as PDF lies in its folder, or in the root under a name", async () => {
    scene = await stage.open("<h1>Print me</h1>");
    const kept = await scene.port.pdf(scope);
    expect(readFileSync(kept.path, "latin1").startsWith("%PDF")).toBe(true);
    const named = await scene.port.pdf({ path: "page.pdf", ...scope });
    expect(named.path).toBe(`${stage.folder}/downloads/page.pdf`);
    const error = await refusal(scene.port.pdf({ path: "../page.pdf", ...scope }));
    expect(error.reason).toBe("path_outside_root");
    expect(existsSync(`${stage.folder}/page.pdf`)).toBe(false);
  });
});

describe("what a page says and asks for", () => {
  it("is kept, with its levels, without secrets, until it is cleared", async () => {
    scene = await stage.open(`<script>console.log("plain"); console.warn("careful");
      console.error("bad"); fetch("/none?token=abc123"); setTimeout(() => { throw new Error("thrown") });
      </script><p>x</p>`);
    await scene.port.act({ kind: "wait", timeMs: 50 }, scope);
    const { port } = scene;
    const all = await port.console({ limit: 50, level: "warning", ...scope });
    expect(all.entries.map(({ text }) => text)).toEqual(expect.arrayContaining(["careful", "bad"]));
    expect(all.entries.map(({ text }) => text)).not.toContain("plain");
    const errors = await port.errors({ limit: 5, ...scope });
    expect(errors.entries.at(-1)?.text).toContain("thrown");
    const requests = await port.requests({ limit: 5, query: "none", ...scope });
    expect(requests.entries.at(-1)).toMatchObject({ method: "GET", kind: "fetch", status: 404 });
    expect(JSON.stringify(requests)).not.toContain("abc123");
    await port.requests({ limit: 1, clear: true, ...scope });
    expect((await port.requests({ limit: 5, ...scope })).total).toBe(0);
  });

  itLong("keeps the newest of very many, and counts the rest", async () => {
    scene = await stage.open(
      "<script>for (let i = 0; i < 250; i++) setTimeout(() => { throw new Error('n' + i); })</script>",
      {},
    );
    const { port } = scene;
    const newest = async () => (await port.errors({ limit: 2, ...scope })).entries;
    await expect
      .poll(async () => (await newest()).map(({ text }) => text))
      .toEqual(["Error: n248", "Error: n249"]);
    expect(await port.errors({ limit: 1, ...scope })).toMatchObject({ total: 200, dropped: 50 });
    await scene.close();
  });

  it("tells new tabs by their ids", async () => {
    const next = stage.serve("<h1>Pop</h1>");
    scene = await stage.open(`<a href="${next}" target=_blank>New</a>`);
    const { change } = await scene.click("link", "New");
    expect(change.events.join()).toMatch(/A new tab opened: t2/);
    await scene.close();
  });

  it("gives the text of the page, or of what a selector names", async () => {
    scene = await stage.open("<main><p>Alpha beta</p></main><footer id=f>Foot</footer>");
    const { port } = scene;
    expect((await port.text({ maxChars: 1_000, ...scope })).text).toContain("Alpha beta");
    expect((await port.text({ selector: "#f", maxChars: 2, ...scope })).text).toBe("Fo");
    const error = await refusal(port.text({ selector: "#none", maxChars: 9, ...scope }));
    expect(error.reason).toBe("element_not_found");
  });
});

describe("a key", () => {
  it("that there is none of is refused with what to write", async () => {
    scene = await stage.open("<p>x</p>");
    const error = await refusal(scene.port.act({ kind: "press", key: "Foo" }, scope));
    expect(error).toMatchObject({ code: "invalid_input", reason: "arguments_invalid" });
    expect(error.message).toMatch(/"Foo" is not a known key; write one such as Enter/);
  });
});

const DENIAL = {
  ...{ host: "127.0.0.9", port: 9, atMs: Number.MAX_SAFE_INTEGER },
  error: new ToolError("denied", "127.0.0.9 is this machine.", { reason: "address_refused" }),
};

describe("an address", () => {
  it("that the policy refused is told by its rule", async () => {
    scene = await stage.open("<p>x</p>");
    const url = "http://127.0.0.9:9/";
    stage.denials.set("127.0.0.9:9", DENIAL);
    const error = await refusal(scene.port.navigate({ url, ...scope }));
    expect(error).toMatchObject({ code: "denied", reason: "address_refused" });
    stage.denials.clear();
    // The error said it: the next answer does not say it again.
    const next = await scene.port.navigate({ url: stage.serve("<p>On</p>"), ...scope });
    expect(next.events).toEqual([]);
    const plain = await refusal(scene.port.navigate({ url, ...scope }));
    expect(plain).toMatchObject({ code: "failed", reason: "navigation_failed" });
    expect(plain.message).toMatch(/connection was refused|ERR_/);
  });

  itLong("that the policy refused is told by the click that asked for it", async () => {
    scene = await stage.open(`<a href="http://127.0.0.9:9/">Inside</a>`);
    stage.denials.set("127.0.0.9:9", DENIAL);
    const { change } = await scene.click("link", "Inside");
    stage.denials.clear();
    expect(change.events.join()).toContain(DENIAL.error.message);
    expect(change.tab).toMatchObject({
      url: "",
      urlUnavailableReason: expect.stringMatching(/not be/),
    });
  });

  itLong("that the server has not is opened, and told", async () => {
    scene = await stage.open("<p>x</p>");
    const url = `${new URL(stage.serve("x")).origin}/nowhere`;
    const change = await scene.port.navigate({ url, ...scope });
    expect(change.events.join()).toContain("404");
  });
});
