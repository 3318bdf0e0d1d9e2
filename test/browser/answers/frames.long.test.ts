// Which document `frame` means, in a real Chromium.
import { expect, test } from "vitest";
import { useFlow } from "../flows/flow-setting.js";
import { createShow } from "../flows/show-page.js";

const flow = useFlow();
const show = createShow(flow);
const PAGE = `<main><h1>Outside</h1><iframe title=A id=a srcdoc="<title>In A</title><p>Inside A</p>"></iframe>
  <iframe title=B srcdoc="<p>Inside B</p>"></iframe></main><section><iframe title=C srcdoc="<p>Inside C</p>"></iframe></section>`;

test.each(["main", "Main", "top", "_top", "main frame"])(
  "frame %j is the page itself",
  async (frame) => {
    await show(PAGE);
    const listed = await flow.call({ action: "snapshot", frame });
    expect(listed.text).toContain('heading "Outside"');
    const { details } = await flow.act({ kind: "evaluate", fn: "document.title", frame });
    expect(details).toMatchObject({ result: "P" });
    expect((await flow.call({ action: "text", frame })).text).toContain("Outside");
  },
);

test("a text of few words says how many iframes it leaves out", async () => {
  const left = async (html: string, more = {}) => {
    await show(html);
    const { text } = await flow.call({ action: "text", ...more });
    return /The text of (.*) is left out; pass a snapshot ref as frame to read one\./.exec(
      text,
    )?.[1];
  };
  expect(await left(PAGE)).toBe("3 iframes");
  expect(await left("<p>One</p><iframe srcdoc='<p>In</p>'></iframe>")).toBe("an iframe");
  expect(await left(PAGE, { frame: "#a" })).toBeUndefined();
  expect(await left(PAGE, { selector: "h1" })).toBeUndefined();
  expect(await left(PAGE.replace("Outside", "word ".repeat(200)))).toBeUndefined();
});

test("what matches one iframe, or holds a single one, is that; several are refused", async () => {
  await show(PAGE);
  const words = async (frame: string) => (await flow.call({ action: "text", frame })).text;
  expect(await words("#a")).toContain("Inside A");
  expect(await words("iframe[title=B]")).toContain("Inside B");
  expect(await words("section")).toContain("Inside C");
  const refused = await flow.call({ action: "snapshot", frame: "body" });
  expect(refused).toMatchObject({ isError: true, details: { reason: "frame_not_found" } });
});
