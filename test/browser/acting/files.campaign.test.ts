// Uploads and downloads: through the port only below the roots, whatever names and links say.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pruneArtifacts, toFileName } from "../../../src/drivers/browser/page/files/roots.js";
import { createNodeBridge } from "../../../src/drivers/fs/index.js";
import { itLong } from "../../fakes/campaign.js";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
let uploads: string;
let downloads: string;
let outside: string;
/** How often the report was asked for. */
let asked = 0;
beforeAll(async () => {
  stage = await createStage();
  uploads = join(stage.folder, "uploads");
  downloads = join(stage.folder, "downloads");
  outside = join(stage.folder, "outside.txt");
  writeFileSync(join(uploads, "a.txt"), "hello");
  writeFileSync(join(uploads, "b.txt"), "world");
  writeFileSync(outside, "secret");
  mkdirSync(join(uploads, "state"));
  writeFileSync(join(uploads, "state", "key"), "secret");
  symlinkSync(outside, join(uploads, "link.txt"));
  symlinkSync(stage.folder, join(downloads, "out"));
  symlinkSync(outside, join(downloads, "linked.txt"));
  stage.route("/report", (_request, response) => {
    asked += 1;
    response.writeHead(200, {
      "content-type": "text/csv",
      "content-disposition": 'attachment; filename="../../re port.csv"',
    });
    response.end("a,b\n1,2\n");
  });
});
afterAll(() => stage.close());

const rest = () => ({ temporary: stage.folder, files: createNodeBridge(stage.folder) });
const FORM = `<input type=file id=f multiple aria-label=Files hidden>
  <button onclick="f.click()">Choose</button>
  <script>f.onchange = () => { window.names = [...f.files].map((x) => x.name);
    f.files[0].text().then((t) => { window.content = t; }); }</script>`;
const LINK = `<a href="/report">Report</a>`;

describe("an upload", () => {
  it("goes into a field by selector, and the page hears of it", async () => {
    scene = await stage.open(FORM);
    await scene.port.upload({ paths: ["a.txt", join(uploads, "b.txt")], element: "#f", ...scope });
    expect(await scene.read("names")).toEqual(["a.txt", "b.txt"]);
    await expect.poll(() => scene.read("window.content")).toBe("hello");
  });

  it("by a selector that is none, or matches nothing, says so", async () => {
    scene = await stage.open(FORM);
    const give = (element: string) =>
      refusal(scene.port.upload({ paths: ["a.txt"], element, ...scope }));
    expect((await give("##")).reason).toBe("selector_invalid");
    expect((await give("#none")).reason).toBe("element_not_found");
    const picture = await refusal(scene.port.screenshot({ element: "##", ...scope }));
    expect(picture.reason).toBe("selector_invalid");
    const labels = await refusal(scene.port.screenshot({ labels: true, fullPage: true, ...scope }));
    expect(labels.reason).toBe("labels_of_window");
    const jpeg = { labels: true, type: "jpeg" } as const;
    const asJpeg = await refusal(scene.port.screenshot({ ...jpeg, ...scope }));
    expect(asJpeg.message).toMatch(/with labels is a PNG; give it a name that ends in \.png/);
  });

  it("267 · goes into a field by ref, also one that is not to be seen", async () => {
    scene = await stage.open("<input type=file id=f aria-label=Files>");
    const found = (await scene.listed()).find(({ name }) => name.includes("Files"));
    await scene.port.upload({ paths: ["a.txt"], inputRef: found?.ref ?? "", ...scope });
    expect(await scene.read("f.files[0].name")).toBe("a.txt");
  });

  it("266 · waits for the chooser that a click opens", async () => {
    scene = await stage.open(FORM);
    const ref = await scene.ref("button", "Choose");
    const change = await scene.port.upload({ paths: ["a.txt"], ref, ...scope });
    await expect.poll(() => scene.read("window.names")).toEqual(["a.txt"]);
    expect(change.events.join()).not.toMatch(/is open/);
  });

  it("answers a chooser that is open already", async () => {
    scene = await stage.open(FORM);
    const { change } = await scene.click("button", "Choose");
    expect(change.events.join()).toMatch(/file chooser is open/);
    await scene.port.upload({ paths: ["b.txt"], ...scope });
    await expect.poll(() => scene.read("window.names")).toEqual(["b.txt"]);
  });

  itLong("that was refused leaves nothing for the next chooser", async () => {
    scene = await stage.open(FORM);
    const error = await refusal(scene.port.upload({ paths: ["a.txt"], ref: "e99999", ...scope }));
    expect(error.reason).toBe("stale_ref");
    await scene.port.navigate({ url: stage.serve(FORM, "other"), ...scope });
    const { change } = await scene.click("button", "Choose");
    expect(change.events.join()).toMatch(/file chooser is open/);
    expect(await scene.read("f.files.length")).toBe(0);
  });

  itLong("whose click opens no chooser says so, and leaves nothing for a later one", async () => {
    scene = await stage.open(`<button>Plain</button>${FORM}`);
    const ref = await scene.ref("button", "Plain");
    const error = await refusal(scene.port.upload({ paths: ["a.txt"], ref, ...scope }));
    expect(error).toMatchObject({ code: "not_found", reason: "chooser_missing" });
    expect(error.message).toMatch(/was clicked/);
    await scene.click("button", "Choose");
    expect(await scene.read("f.files.length")).toBe(0);
  });

  it("without a chooser arms the next one, once", async () => {
    scene = await stage.open(FORM);
    const change = await scene.port.upload({ paths: ["a.txt"], ...scope });
    expect(change).toMatchObject({ isArmed: true });
    expect(change.events.join()).toMatch(/next one that this page opens gets the files/);
    await scene.click("button", "Choose");
    await expect.poll(() => scene.read("window.names")).toEqual(["a.txt"]);
    const second = await scene.click("button", "Choose");
    expect(second.change.events.join()).toMatch(/file chooser is open/);
  });

  it("that armed a page gives nothing to another site", async () => {
    scene = await stage.open(FORM);
    await scene.port.upload({ paths: ["a.txt"], ...scope });
    await scene.port.navigate({ url: stage.serve(FORM, "other"), ...scope });
    const { change } = await scene.click("button", "Choose");
    expect(change.events.join()).toMatch(/file chooser is open/);
    expect(await scene.read("f.files.length")).toBe(0);
  });

  itLong("does not answer the chooser of a document that is gone", async () => {
    scene = await stage.open(FORM);
    await scene.click("button", "Choose");
    await scene.port.navigate({ url: stage.serve(FORM, "other"), ...scope });
    const change = await scene.port.upload({ paths: ["a.txt"], ...scope });
    expect(change).toMatchObject({ isArmed: true });
    expect(await scene.read("f.files.length")).toBe(0);
  });

  itLong("answers the open chooser of a page that changed its address by itself", async () => {
    scene = await stage.open(FORM);
    await scene.click("button", "Choose");
    await scene.read("history.pushState({}, '', '#chosen')");
    await scene.port.upload({ paths: ["b.txt"], ...scope });
    await expect.poll(() => scene.read("window.names")).toEqual(["b.txt"]);
  });

  it("goes to no chooser that a frame of another origin opens meanwhile", async () => {
    const inner = stage.serve(
      `<input type=file id=f><button onclick="addEventListener('message', () => f.click())">Arm</button>`,
      "other",
    );
    scene = await stage.open(
      `<iframe src="${inner}" id=i></iframe><button onclick="i.contentWindow.postMessage(1, '*')">Go</button>`,
      {},
    );
    await scene.click("button", "Arm");
    const ref = await scene.ref("button", "Go");
    const error = await refusal(scene.port.upload({ paths: ["a.txt"], ref, ...scope }));
    expect(error.reason).toBe("chooser_missing");
    const [, frame] = scene.page.frames();
    expect(await frame?.evaluate("f.files.length")).toBe(0);
    await scene.close();
  });

  it.each([
    ["above the root", () => "../outside.txt", "path_outside_root"],
    ["by its whole path", () => outside, "path_outside_root"],
    ["behind a link", () => "link.txt", "path_outside_root"],
    ["of the system", () => "/etc/hostname", "path_outside_root"],
    ["of our own state, though it is in the root", () => "state/key", "path_outside_root"],
    ["that is the root itself", () => ".", "path_outside_root"],
    ["that is not there", () => "none.txt", "file_missing"],
  ])("of a file %s is refused", async (_what, path, reason) => {
    scene = await stage.open(FORM);
    const error = await refusal(
      scene.port.upload({ paths: ["a.txt", path()], element: "#f", ...scope }),
    );
    expect(error.reason).toBe(reason);
    expect(await scene.read("f.files.length")).toBe(0);
  });
});

describe("a download", () => {
  it("is saved in the root under the last part of its name", async () => {
    scene = await stage.open(LINK);
    const ref = await scene.ref("link", "Report");
    const saved = await scene.port.download({ ref, ...scope });
    expect(saved.path.startsWith(`${downloads}/`)).toBe(true);
    expect(basename(saved.path)).not.toMatch(/^\.|\//);
    expect(readFileSync(saved.path, "utf8")).toBe("a,b\n1,2\n");
    expect(saved.bytes).toBe(8);
    const second = await scene.port.download({ ref, ...scope });
    expect(second.path).not.toBe(saved.path);
    expect(readdirSync(downloads).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("that a click began is told, and can be saved afterwards under a name", async () => {
    scene = await stage.open(LINK);
    await scene.click("link", "Report");
    await expect
      .poll(async () => {
        const { change } = await scene.port.act({ kind: "wait", timeMs: 20 }, scope);
        return change.events.join();
      })
      .toMatch(/download began|^$/);
    const saved = await scene.port.download({ path: "made/here.csv", ...scope });
    expect(saved.path).toBe(join(downloads, "made/here.csv"));
  });

  it("by opening its address is told, and the page stays", async () => {
    scene = await stage.open("<h1>Stays</h1>");
    const url = `${new URL(stage.serve("x")).origin}/report`;
    const change = await scene.port.navigate({ url, ...scope });
    expect(change.events.join()).toMatch(/download/);
    expect(await scene.read("document.querySelector('h1').textContent")).toBe("Stays");
    await scene.port.download({ path: "again.csv", ...scope });
  });

  it.each([
    ["above the root", "../x.csv"],
    ["elsewhere", "/tmp/x.csv"],
    ["behind a link to a folder", "out/x.csv"],
    ["in the place of a link", "linked.txt"],
  ])("to a place %s is refused, and nothing is written", async (_what, path) => {
    scene = await stage.open(LINK);
    const ref = await scene.ref("link", "Report");
    asked = 0;
    const error = await refusal(scene.port.download({ ref, path, ...scope }));
    expect(error).toMatchObject({ code: "denied", reason: "path_outside_root" });
    expect(asked).toBe(0);
    expect(readFileSync(outside, "utf8")).toBe("secret");
    expect(existsSync(join(stage.folder, "x.csv"))).toBe(false);
  });

  it.each([
    ["out of the root", "elsewhere"],
    ["to nothing", "nowhere/there"],
  ])("into a root that is a link %s is refused", async (_what, target) => {
    const [place, link] = [
      join(stage.folder, target),
      join(stage.folder, `to-${basename(target)}`),
    ];
    if (target === "elsewhere") mkdirSync(place);
    symlinkSync(place, link);
    const artifacts = join(stage.folder, "artifacts");
    const folders = { uploadRoots: [], downloads: link, artifacts, ...rest() };
    scene = await stage.open(LINK, { folders });
    const ref = await scene.ref("link", "Report");
    for (const path of [undefined, "x.csv", "in/x.csv", join(link, "y.csv")]) {
      const error = await refusal(scene.port.download({ ref, path, ...scope }));
      expect(error).toMatchObject({ code: "denied", reason: "path_outside_root" });
    }
    expect((await refusal(scene.port.pdf({ path: "x.pdf", ...scope }))).code).toBe("denied");
    expect(existsSync(place) ? readdirSync(place) : []).toEqual([]);
    await scene.close();
  });

  itLong(
    "makes its root, also for a path in a folder, and takes the name of the root for it",
    async () => {
      const root = join(stage.folder, "later");
      const artifacts = join(stage.folder, "artifacts");
      const folders = { uploadRoots: [], downloads: root, artifacts, ...rest() };
      scene = await stage.open(LINK, { folders });
      const ref = await scene.ref("link", "Report");
      const first = await scene.port.download({ ref, path: "in/a.csv", ...scope });
      expect(first.path).toBe(join(root, "in/a.csv"));
      const second = await scene.port.download({ ref, path: "later/b.csv", ...scope });
      expect(second.path).toBe(join(root, "b.csv"));
      expect(second.replaced).toBeUndefined();
      expect(await scene.port.download({ ref, path: "b.csv", ...scope })).toMatchObject({
        path: second.path,
        replaced: true,
      });
      const { entries } = await scene.port.requests({ limit: 10, query: "report", ...scope });
      expect(entries.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined]);
      await scene.close();
    },
  );

  itLong("that was saved is not told as waiting", async () => {
    scene = await stage.open(`${LINK}<button>Other</button>`, {});
    const ref = await scene.ref("link", "Report");
    await scene.port.download({ ref, ...scope });
    await scene.page.evaluate("document.querySelector('a').click()");
    await scene.port.download({ path: "told.csv", ...scope });
    const { change } = await scene.click("button", "Other");
    expect(change.events).toEqual([]);
    await scene.close();
  });

  it("that never comes ends with the time that was given", async () => {
    scene = await stage.open("<button>No</button>");
    const ref = await scene.ref("button", "No");
    const error = await refusal(scene.port.download({ ref, timeoutMs: 900, ...scope }));
    expect(error.reason).toBe("browser_timeout");
    expect(error.message).toMatch(/was clicked, and no download began/);
  });

  itLong("in the place of which another page came is told soon", async () => {
    const after = (delayMs: number, work: () => void) => {
      const timer = setTimeout(work, Math.min(delayMs, 300));
      return () => clearTimeout(timer);
    };
    const to = stage.serve("<title>Not found</title>");
    const clock = { now: () => Date.now(), after };
    scene = await stage.open(`<a href="${to}">Report</a>`, { clock });
    const ref = await scene.ref("link", "Report");
    const error = await refusal(scene.port.download({ ref, timeoutMs: 60_000, ...scope }));
    expect(error).toMatchObject({ code: "not_found", reason: "download_missing" });
    expect(error.message).toContain(`led to ${to}, and no download began; look at that page`);
    await scene.close();
  });

  itLong("that the next page begins by itself is saved", async () => {
    const file = stage.route("/soon.csv", (_request, response) => {
      response.writeHead(200, { "content-disposition": "attachment; filename=soon.csv" }).end("a");
    });
    const to = stage.serve(`<script>setTimeout(() => { location = "${file}"; }, 500)</script>Soon`);
    scene = await stage.open(`<a href="${to}">Report</a>`);
    const ref = await scene.ref("link", "Report");
    const saved = await scene.port.download({ ref, ...scope });
    expect(saved).toMatchObject({ suggestedName: "soon.csv", bytes: 1 });
  });
});

describe("the folder of pictures that nobody named a place for", () => {
  it("keeps the newest, and at a start none that is older than a day", async () => {
    const folder = join(stage.folder, "pictures");
    mkdirSync(folder);
    const nowMs = Date.now();
    const name = (number: number) => `t1-${number.toString(16).padStart(8, "0")}.png`;
    const make = (file: string, ageMs: number) => {
      writeFileSync(join(folder, file), "x");
      utimesSync(join(folder, file), new Date(nowMs - ageMs), new Date(nowMs - ageMs));
    };
    for (let number = 0; number < 205; number += 1) make(name(number), 90_000_000 - number);
    make("mine.png", 900_000_000);
    await pruneArtifacts(folder, {});
    expect(readdirSync(folder)).toHaveLength(201);
    expect(existsSync(join(folder, name(4)))).toBe(false);
    expect(existsSync(join(folder, name(204)))).toBe(true);
    make(name(300), 1_000);
    await pruneArtifacts(folder, { nowMs });
    expect(readdirSync(folder).toSorted()).toEqual(["mine.png", name(300)].toSorted());
  });

  it("is no link to elsewhere", async () => {
    const [place, link] = [join(stage.folder, "far"), join(stage.folder, "near")];
    mkdirSync(place);
    symlinkSync(place, link);
    const folders = { uploadRoots: [], downloads: stage.folder, artifacts: link, ...rest() };
    scene = await stage.open(LINK, { folders });
    expect((await refusal(scene.port.screenshot(scope))).reason).toBe("path_outside_root");
    expect(readdirSync(place)).toEqual([]);
    await scene.close();
  });
});

it.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\\\Windows\\\\evil.exe", "evil.exe"],
  ["..", "download"],
  [".bashrc", "bashrc"],
  ["a\u0000b\nc.txt", "a_b_c.txt"],
  ["Übersicht (2).pdf", "Übersicht_(2).pdf"],
  ["", "download"],
])("the name %j is saved as %j", (suggested, name) => {
  expect(toFileName(suggested)).toBe(name);
});

describe("files for a row", () => {
  const rows = (cell: string, ms: number) => `<ul id=u>${["Ann", "Bob", "Cyd"]
    .map((name) => `<li><b>${name}</b> ${cell}</li>`)
    .join("")}</ul><input type=file id=f hidden><script>window.got = []; let row;
    const names = [...document.querySelectorAll("b")];
    u.addEventListener("click", ({ target }) => { row = target.closest("li");
      if (target.localName === "button") f.click();
      if (${ms} >= 0) setTimeout(() => { ["Bob", "Cyd", "Ann"].forEach((name, at) => {
        names[at].textContent = name; }); }, ${ms}); });
    addEventListener("change", () => got.push(row.querySelector("b").textContent));</script>`;
  const openerIn = async (html: string) => {
    scene = await stage.open(html);
    const elements = await scene.listed();
    return elements.find(({ name, ref }) => /Photo|Add/.test(name) && ref)?.ref ?? "";
  };
  const FIELD = "<input type=file aria-label=Photo>";
  const BUTTON = "<button>Add</button>";

  it.each([
    [FIELD, 0],
    [FIELD, 5],
    [FIELD, 60],
    [BUTTON, 0],
  ])("are not given when the row is another one since the click (%s, %i ms)", async (cell, ms) => {
    const ref = await openerIn(rows(cell, ms));
    const error = await refusal(scene.port.upload({ paths: ["a.txt"], ref, ...scope }));
    expect(error.reason).toBe("changed_under_click");
    expect(error.message).toMatch(/got no files/);
    expect(await scene.read("got")).toEqual([]);
  });

  it.each([FIELD, BUTTON])("are given to the row that was clicked (%s)", async (cell) => {
    const ref = await openerIn(rows(cell, -1));
    await scene.port.upload({ paths: ["a.txt"], ref, ...scope });
    expect(await scene.read("got")).toEqual(["Ann"]);
  });

  itLong("are not given to a chooser whose row is another one by now", async () => {
    const ref = await openerIn(rows(FIELD, -1));
    await scene.port.act({ kind: "click", ref }, scope);
    await scene.read(
      `["Bob", "Cyd", "Ann"].forEach((name, at) => { names[at].textContent = name; })`,
    );
    const error = await refusal(scene.port.upload({ paths: ["a.txt"], ...scope }));
    expect(error).toMatchObject({ reason: "changed_under_click", details: { ref } });
    expect(await scene.read("got")).toEqual([]);
  });

  it.each([
    ["goes away", "menu.remove()"],
    ["is hidden", "menu.hidden = true"],
    ["says that it is under way", "item.textContent = 'Uploading…'"],
  ])("are given when what was clicked %s", async (_what, does) => {
    scene =
      await stage.open(`<div id=menu role=menu><div role=menuitem tabindex=-1 id=item>Upload</div></div>
      <input type=file id=f hidden><script>item.onclick = () => { f.click(); ${does}; };</script>`);
    const ref = await scene.ref("menuitem", "Upload");
    await scene.port.upload({ paths: ["a.txt"], ref, ...scope });
    expect(await scene.read("f.files.length")).toBe(1);
  });
});
