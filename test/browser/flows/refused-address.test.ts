// An address that the policy refuses, where pages of this machine alone are allowed.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFlow, type Flow } from "./flow-setting.js";

let flow: Flow;
beforeAll(async () => {
  const ssrfPolicy = { dangerouslyAllowPrivateNetwork: false, allowedHostnames: ["127.0.0.1"] };
  flow = await createFlow({ browser: { ssrfPolicy } });
});
afterAll(() => flow.close());

it("is refused before the page is left, and not told again", async () => {
  await flow.open("/product");
  const refused = await flow.call({ action: "navigate", targetUrl: "http://10.0.0.1/" });
  expect(refused).toMatchObject({ isError: true, details: { reason: "address_refused" } });
  expect((await flow.call({ action: "tabs" })).text).toMatch(/\/product/);
  const next = await flow.call({ action: "navigate", targetUrl: "about:blank" });
  expect(next.text).not.toContain("refused");
});

it("that a redirect leads to is told with where the tab is now, and not told again", async () => {
  await flow.open("/product");
  const to = encodeURIComponent("http://10.0.0.1/");
  const targetUrl = `${flow.server.base}/redirect?to=${to}`;
  const refused = await flow.call({ action: "navigate", targetUrl });
  expect(refused.text).toMatch(/private.*The tab has left the page before/s);
  const back = await flow.call({ action: "navigate", targetUrl: "back" });
  expect(back.text).toMatch(/\/product/);
  expect(back.text).not.toContain("refused");
});
