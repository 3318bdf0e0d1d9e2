// Addresses in answers: secrets in them, and those that the policy refuses, in a real Chromium.
import { expect, test } from "vitest";
import { useFlow } from "../flows/flow-setting.js";
import { createShow } from "../flows/show-page.js";

const SECRET = "a81bc81d4fQ";
const ssrfPolicy = { dangerouslyAllowPrivateNetwork: false, allowedHostnames: ["127.0.0.1"] };
const flow = useFlow({ browser: { ssrfPolicy } });
const show = createShow(flow);

test("a sign-in's code and session are replaced wherever an address is told", async () => {
  const { text } = await flow.open(`/product?code=${SECRET}&session=${SECRET}#sid=${SECRET}`);
  expect(text).toContain("code=[redacted]&session=[redacted]#sid=[redacted]");
  for (const fn of ["location.href", "({ at: [location.search, location.hash] })"]) {
    const given = await flow.act({ kind: "evaluate", fn });
    expect(given.isError, given.text).toBe(false);
    expect(JSON.stringify(given)).not.toContain(SECRET);
  }
  const { details } = await flow.act({
    kind: "evaluate",
    fn: `'say "' + location.href + '" twice'`,
  });
  expect(details).toMatchObject({ result: expect.stringMatching(/^say "http.*\]" twice$/) });
  const plain = await flow.act({ kind: "evaluate", fn: "'https://a.example/?code=DE'" });
  expect(plain.text).toContain("code=DE");
});

test.each([
  "http://localhost.:1/",
  "http://LOCALHOST..:1/x",
  "http://a.localhost.:1/",
  "https://localhost.:1/",
])("%s is refused in the words of the policy, before the page is left", async (targetUrl) => {
  await flow.open("/product");
  const refused = await flow.call({ action: "navigate", targetUrl });
  expect(refused).toMatchObject({ isError: true, details: { reason: "address_refused" } });
  expect(refused.text).toContain("is a name of this machine");
  expect((await flow.call({ action: "tabs" })).text).toContain("/product");
});

test.each([
  ["a link", "<a href='http://10.0.0.1/'>Go</a>", "link"],
  ["a link by https", "<a href='https://10.0.0.1/'>Go</a>", "link"],
  ["a script", `<button onclick="location = 'http://localhost.:8099/'">Go</button>`, "button"],
  [
    "a timer",
    `<button onclick="setTimeout(() => location = 'http://10.0.0.2/')">Go</button>`,
    "button",
  ],
  ["a form", "<form action='http://10.0.0.3/'><button>Go</button></form>", "button"],
  ["a request", `<button onclick="fetch('http://10.0.0.4/').catch(() => 0)">Go</button>`, "button"],
])("an act that leads to a refused address by %s tells why", async (_what, html, role) => {
  const { ref } = await show(html);
  const { text } = await flow.act({ kind: "click", ref: ref(role, "Go") });
  expect(text).toMatch(/! A request was refused: .*(?:private|name of this machine)/);
  expect(text).not.toMatch(/The server answered|Earlier/);
  const next = await flow.call({ action: "navigate", targetUrl: `${flow.server.base}/product` });
  expect(next.text).not.toContain("refused");
});

test("a page that leads on to a refused address by itself tells why", async () => {
  const html = "<script>location = 'http://10.0.0.5/'</script>";
  const targetUrl = `data:text/html,${encodeURIComponent(html)}`;
  const { text } = await flow.call({ action: "navigate", targetUrl });
  expect(text).toMatch(/refused: .*private/);
});

test.each([
  [
    "<a href='http://10.0.0.6/' target=_blank>Go</a>",
    /A new tab opened: t\d+.*10\.0\.0\.6.*private/,
  ],
  ["<a href='file:///etc/hostname'>Go</a>", /file:\/\/\/etc\/hostname is not opened/],
  ["<a href='chrome://version'>Go</a>", /chrome:\/\/version\/? is not opened/],
])("a link that leads nowhere says so: %s", async (html, told) => {
  const { ref } = await show(html);
  const { text } = await flow.act({ kind: "click", ref: ref("link", "Go") });
  expect(text).toMatch(told);
  expect(text).not.toContain("nothing on the page changed");
});
