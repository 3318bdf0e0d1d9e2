// A call answers within the time it names and a short rest, whatever the page does, and says what could
// not be read in it.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useFlow } from "./flow-setting.js";

const GIVEN_MS = 4_000;
/** Five times the second that is promised. */
const ROOM_MS = 5_000;

const BUTTON = "<button>Go</button>";
const OBSERVER = `<p id=p></p><script>
  new MutationObserver(() => { p.textContent = Math.random() }).observe(p, { childList: true });
  p.textContent = 1;
</script>`;
const PAGES: Readonly<Record<string, string>> = {
  "/observer": `${BUTTON}${OBSERVER}`,
  "/circle": `<meta http-equiv=refresh content="0;url=/circle?again">${BUTTON}`,
  "/deep": `<script>
    let at = document.body ?? document.documentElement.appendChild(document.createElement("body"));
    for (let i = 0; i < 20000; i++) at = at.appendChild(document.createElement("div"));
    at.textContent = "bottom";
  </script>`,
  "/plain": "<title>Plain</title><h1>Plain</h1>",
};

const flow = useFlow();
let server: Server;
let base = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    response.writeHead(200, { "content-type": "text/html" }).end(PAGES[path]);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  // A server that listens on a port has an address of this kind.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The start of the browser is no part of what is measured.
  await flow.call({ action: "open", targetUrl: `${base}/plain` });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function timed(args: Readonly<Record<string, unknown>>) {
  const beganMs = performance.now();
  const answer = await flow.call({ ...args, timeoutMs: GIVEN_MS });
  return { ...answer, ms: performance.now() - beganMs };
}

describe("a page that", () => {
  it("a script keeps busy is opened in time, and said to be unread", async () => {
    const { text, ms, isError, details } = await timed({
      action: "open",
      targetUrl: `${base}/observer`,
    });
    expect(ms).toBeLessThan(GIVEN_MS + ROOM_MS);
    expect({ text, isError }).toMatchObject({ isError: false });
    expect(text).toContain("there was no time left to read it; snapshot lists it.");
    await flow.call({ action: "close", targetId: Reflect.get(Object(details), "targetId") });
  });

  it("goes elsewhere without end is opened in time, and told as that when it cannot be read", async () => {
    const opened = await timed({ action: "open", targetUrl: `${base}/circle` });
    expect(opened.ms).toBeLessThan(GIVEN_MS + ROOM_MS);
    expect({ text: opened.text, isError: opened.isError }).toMatchObject({ isError: false });
    const { targetId } = Object(opened.details);
    const read = await timed({ action: "snapshot", targetId });
    expect(read.ms).toBeLessThan(GIVEN_MS + ROOM_MS);
    expect(read.text).toMatch(/button "Go"|goes to another address again and again/);
    await flow.call({ action: "close", targetId });
  });

  it("crashes while it is opened leaves the tab that its error names", async () => {
    const opened = await timed({ action: "open", targetUrl: `${base}/deep` });
    expect(opened.text).toMatch(
      /in tab t\d+ .* crashed; the tab is empty now, navigate it to go on/,
    );
    const [, targetId = ""] = /in tab (t\d+)/.exec(opened.text) ?? [];
    const next = await flow.call({
      ...{ action: "navigate", targetId, targetUrl: `${base}/plain` },
    });
    expect(next.text).toContain("Plain");
  });
});
