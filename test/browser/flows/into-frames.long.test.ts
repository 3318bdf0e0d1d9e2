// One iframe of a page, named by its ref or its CSS: listed, read, and run scripts in.
import { beforeAll, expect, it } from "vitest";
import { useFlow } from "./flow-setting.js";

const flow = useFlow();
beforeAll(async () => {
  await flow.open("/frames");
});

const NAMES = ["Same", "Other", "Boxed"] as const;
const FRAMES = {
  Same: { css: "#same", title: "Same origin", button: "Press Same" },
  Other: { css: "#other", title: "Other site", button: "Press Foreign" },
  Boxed: { css: "#boxed", title: "Sandboxed", button: "Press Sandboxed" },
} as const;

it.each(NAMES)("frame leads into the iframe %s by CSS and by ref", async (name) => {
  const { css, title, button } = FRAMES[name];
  for (const frame of [css, await flow.ref("iframe", title)]) {
    const listed = await flow.call({ action: "snapshot", frame });
    expect(listed.text).toContain(`button "${button}"`);
    expect(listed.text).not.toContain("Reload the first frame");
    const fn = "document.querySelector('button').textContent";
    const run = await flow.act({ kind: "evaluate", fn, frame });
    expect(run.text).toContain(button);
    const inRequest = await flow.call({ action: "act", request: { kind: "evaluate", fn, frame } });
    expect(inRequest.text).toContain(button);
    const read = await flow.call({ action: "text", frame });
    expect(read.text).toContain(button);
    expect(read.text).not.toContain("Reload the first frame");
  }
});

it("of what is no iframe is refused", async () => {
  const frame = await flow.ref("button", "Reload the first frame");
  for (const args of [{ action: "snapshot" }, { action: "text" }, { kind: "evaluate", fn: "1" }]) {
    for (const name of [frame, "#nowhere"]) {
      const answer = await flow.call({ ...args, frame: name });
      expect(answer).toMatchObject({ isError: true, details: { reason: "frame_not_found" } });
    }
  }
});
