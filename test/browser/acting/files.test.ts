// Uploads and downloads: through the port only below the roots, whatever names and links say.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toFileName } from "../../../src/drivers/browser/page/files/roots.js";
import { createStage, refusal, type Scene, type Stage, scope } from "./stage.js";

let stage: Stage;
let scene: Scene;
let uploads: string;
let downloads: string;
let outside: string;
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
    response.writeHead(200, {
      "content-type": "text/csv",
      "content-disposition": 'attachment; filename="../../re port.csv"',
    });
    response.end("a,b\n1,2\n");
  });
});
afterAll(() => stage.close());

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

  it("goes into a field by ref, also one that is not to be seen", async () => {
    scene = await stage.open("<input type=file id=f aria-label=Files>");
    const found = (await scene.listed()).find(({ name }) => name.includes("Files"));
    await scene.port.upload({ paths: ["a.txt"], inputRef: found?.ref ?? "", ...scope });
    expect(await scene.read("f.files[0].name")).toBe("a.txt");
  });

  it("waits for the chooser that a click opens", async () => {
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

  it.each([
    ["above the root", () => "../outside.txt", "path_outside_root"],
    ["by its whole path", () => outside, "path_outside_root"],
    ["behind a link", () => "link.txt", "path_outside_root"],
    ["of the system", () => "/etc/hostname", "path_outside_root"],
    ["of our own state, though it lies in the root", () => "state/key", "path_outside_root"],
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
    const error = await refusal(scene.port.download({ ref, path, ...scope }));
    expect(error).toMatchObject({ code: "denied", reason: "path_outside_root" });
    expect(readFileSync(outside, "utf8")).toBe("secret");
    expect(existsSync(join(stage.folder, "x.csv"))).toBe(false);
  });

  it("that never comes ends with the time that was given", async () => {
    scene = await stage.open("<button>No</button>");
    const ref = await scene.ref("button", "No");
    const error = await refusal(scene.port.download({ ref, timeoutMs: 600, ...scope }));
    expect(error.reason).toBe("browser_timeout");
  });
});

it.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\\\Windows\\\\evil.exe", "evil.exe"],
  ["..", "download"],
  [".bashrc", "bashrc"],
  ["a\u0000b\nc.txt", "a_b_c.txt"],
  ["Übersicht (2).pdf", "Übersicht (2).pdf"],
  ["", "download"],
])("the name %j is saved as %j", (suggested, name) => {
  expect(toFileName(suggested)).toBe(name);
});
