// What is said of an element that does not take what was sent.

import { expect, it } from "vitest";
import { createFakeBrowsers, element } from "../../../../test/fakes/browsers.js";
import { createManualClock, createRegistryOn } from "../../../../test/fakes/manual-clock.js";
import { resolveTool } from "../../../../test/fakes/resolve-tool.js";
import type { ListedElement } from "../../../core/browser.js";
import { ToolError } from "../../../core/index.js";
import { browser } from "../index.js";

const URL_A = "https://shop.example/";
const registry = createRegistryOn(createManualClock());
registry.register(browser);

/** Of an act on e1, which is the first of the elements and refused as of the wrong kind. */
async function refuse(params: object, elements: readonly ListedElement[]) {
  const browsers = createFakeBrowsers(
    { [URL_A]: { elements } },
    {
      act: () =>
        new ToolError("failed", "e1 cannot be used like this: it does not take text.", {
          reason: "element_wrong_kind",
          details: { ref: "e1" },
        }),
    },
  );
  const tool = resolveTool({ registry, name: "browser", ctx: { browsers } });
  await tool.execute("call_0", { action: "open", targetUrl: URL_A });
  const { content } = await tool.execute("call_1", { action: "act", ref: "e1", ...params });
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return text.slice(text.lastIndexOf(">>>") + ">>>".length).trim();
}

const one = (role: string, states: readonly string[] = []) => element({ ref: "e1", role, states });
const option = element({ role: "option", name: "Germany", depth: 1 });
const typing = { kind: "type", text: "x" };

it.each([
  [
    typing,
    [one("combobox"), option],
    "[e1 is a combobox: use select with values, what its options are called.]",
  ],
  [
    typing,
    [one("combobox")],
    "[e1 is a combobox: use click, then a click on the option that comes.]",
  ],
  [typing, [one("checkbox")], "[e1 is a checkbox: use fill with true or false, or click.]"],
  [typing, [one("button")], "[e1 is a button: use click.]"],
  [
    typing,
    [one("button", ["file"])],
    "[e1 is a button: use action upload with inputRef and paths.]",
  ],
  [typing, [one("alert")], "[e1 is an alert: snapshot with ref e1 lists what is in it to act on.]"],
  [typing, [one("group")], "[e1 is a group: snapshot with ref e1 lists what is in it to act on.]"],
  [{ kind: "select", values: ["x"] }, [one("textbox")], "[e1 is a textbox: use fill, or type.]"],
  [{ kind: "fill", text: "60" }, [one("slider")], ""],
  [typing, [], ""],
])("%o to %o", async (params, elements, said) => {
  expect(await refuse(params, elements)).toBe(said);
});

it("a step of a batch says it too", async () => {
  const actions = [{ ...typing, ref: "e1" }];
  expect(await refuse({ kind: "batch", actions }, [one("button")])).toContain(
    "Step 1 (type e1) failed: e1 is a button: use click.",
  );
});
