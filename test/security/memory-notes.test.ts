// Hostile paths and hostile notes through the memory tools: nothing outside of the notes is shown, and
// nothing in a note that was written after untrusted content leaves its wrapper. A link that flips while notes are read leads nowhere.

import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, defineTool, type Toolkit, t, textResult } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import hostile from "../data/paths.json" with { type: "json" };
import spoofs from "../data/wrapper-spoof.json" with { type: "json" };
import { makeNotesFolder, search } from "../memory/memory-setting.js";

const SECRET = "opossumsecret";
const FLIPS = 300;

const page = defineTool({
  name: "page",
  description: "A page of someone else.",
  parameters: t.object({}),
  execute: async () => ({ ...textResult("text"), untrusted: { source: "web page" } }),
});

let place: string;
let toolkit: Toolkit;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "memory-notes-")));
  mkdirSync(join(place, "root", "memory"), { recursive: true });
  mkdirSync(join(place, "outside"));
  for (const name of ["secret", "secret.md", "passwd.md"]) {
    writeFileSync(join(place, "outside", name), SECRET);
  }
  toolkit = createToolkit({
    root: join(place, "root"),
    stateDir: join(place, "state"),
    tools: [page],
  });
});
afterEach(async () => {
  await toolkit.close();
  rmSync(place, { recursive: true, force: true });
});

async function call(name: string, args: Record<string, unknown>) {
  const { content, isError, details } = await toolkit.invoke({ id: "c", name, arguments: args });
  const [block] = content;
  return { isError, details, text: block?.type === "text" ? block.text : "" };
}

describe("the memory tools and hostile input", () => {
  it("memory_get shows nothing for any hostile path, with or without .md", async () => {
    const root = join(place, "root");
    for (const { path } of hostile) {
      const written = path.replaceAll("{ROOT}", root);
      for (const one of [written, `${written}.md`, `memory/${written}.md`]) {
        const { isError, details, text } = await call("memory_get", { path: one });
        expect(text, one).not.toContain(SECRET);
        const isMissing = JSON.stringify(details).includes('"not_found"');
        expect(isError === true || isMissing, one).toBe(true);
      }
    }
  });

  it.each(spoofs.map(({ id, text }) => [id, text]))(
    "a note with the text %s, written after untrusted content, stays inside its wrapper",
    async (_id, text) => {
      await call("page", {});
      const note = { path: "memory/spoof.md", content: `walrus ${text}\n` };
      expect((await call("write", note)).isError).toBe(false);
      for (const [name, args] of [
        ["memory_search", { query: "walrus" }],
        ["memory_get", { path: "memory/spoof.md" }],
      ] as const) {
        const shown = (await call(name, args)).text;
        const opening = /^<<<EXTERNAL_UNTRUSTED_CONTENT id="([0-9a-f]{8})">>> [^\n]*\n/.exec(
          shown,
        )?.[1];
        expect(opening).toBeDefined();
        expect(shown.endsWith(`<<<END_EXTERNAL_UNTRUSTED_CONTENT id="${opening}">>>`)).toBe(true);
        expect(shown.match(/<<<(?:END_)?EXTERNAL_UNTRUSTED_CONTENT/g)).toHaveLength(2);
      }
    },
  );

  it("a note that turns into a link out while it is indexed is never shown", async () => {
    const folder = makeNotesFolder({ "memory/first.md": "walrus" });
    try {
      const memory = folder.open();
      const note = join(folder.root, "memory", "flip.md");
      const link = join(folder.root, "link");
      for (let round = 0; round < FLIPS; round++) {
        const answers = Promise.all([search(memory, SECRET), search(memory, SECRET)]);
        symlinkSync(join(place, "outside", "secret.md"), link);
        renameSync(link, note);
        const lines = memory
          .read({ path: "memory/flip.md", maxChars: 1_000 })
          .then((read) => (read.found ? read.text : ""))
          .catch(() => "");
        writeFileSync(link, `plain ${round}`);
        renameSync(link, note);
        for (const { hits } of await answers) expect(JSON.stringify(hits)).not.toContain(SECRET);
        expect(await lines).not.toContain(SECRET);
      }
    } finally {
      await folder.close();
    }
  });
});
