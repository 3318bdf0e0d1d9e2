// What pages behind the filter try with files and with the browser's own pages, and what must go on
// working there.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isOpenUrl } from "../../../src/drivers/browser/policy/schemes.js";
import { createSites, SECURE_HOST, SITE, type Sites } from "./sites.js";

const UPLOAD_BYTES = 20_000_000;

let sites: Sites;
beforeAll(async () => {
  sites = await createSites();
});
afterEach(async () => {
  await Promise.all(sites.browser.contexts().map((context) => context.close()));
});
afterAll(() => sites?.close());

describe("what never reaches a proxy", () => {
  it("files and pages of the browser are not shown to a page that asks for them", async () => {
    const filter = await sites.filterWith();
    for (const url of [
      "file:///etc/hostname",
      "chrome://version",
      "view-source:file:///etc/hostname",
    ]) {
      const page = await sites.openSite(filter);
      await page.evaluate(
        `(async (url) => {
          await fetch(url).catch(() => undefined);
          await fetch("/to?url=" + url).catch(() => undefined);
          const frame = document.createElement("iframe");
          frame.src = url;
          document.body.append(frame);
          window.open(url);
          location.href = url;
        })(${JSON.stringify(url)})`,
      );
      await page.goto(`${SITE}to?url=${url}`).catch(() => undefined);
      const shown = page
        .context()
        .pages()
        .flatMap((tab) => tab.frames().map((frame) => frame.url()));
      const strange = shown.filter((href) => !isOpenUrl(href) && !href.startsWith("chrome-error:"));
      expect(strange).toEqual([]);
      await page.context().close();
    }
  });
});

describe("what must go on working", () => {
  it("https with HTTP/2, and wss", async () => {
    const page = await sites.openSite(await sites.filterWith());
    await page.goto(`https://${SECURE_HOST}/`);
    expect(await page.title()).toBe("sealed");
    const protocol = "performance.getEntriesByType('navigation')[0].nextHopProtocol";
    expect(await page.evaluate(protocol)).toBe("h2");
    const message = await page.evaluate(
      `new Promise((resolve) => {
        const socket = new WebSocket("wss://${SECURE_HOST}/live");
        socket.onmessage = ({ data }) => { socket.close(); resolve(data); };
        socket.onerror = () => resolve("error");
      })`,
    );
    expect(message).toBe("hello");
  });

  it("a large upload", async () => {
    const page = await sites.openSite(await sites.filterWith());
    const script = `fetch("/", { method: "POST", body: new Blob([new Uint8Array(${UPLOAD_BYTES})]) }).then((answer) => answer.text())`;
    expect(await page.evaluate(script)).toBe(`${UPLOAD_BYTES}`);
  });

  it("a refused page can be explained by its address, for plain requests and tunnels", async () => {
    const filter = await sites.filterWith();
    const page = await sites.openSite(filter);
    const sinceMs = Date.now();
    for (const url of ["http://inside.example/a", "https://inside.example/a"]) {
      await page.goto(url).catch(() => undefined);
      expect(filter.problemOf(url, { sinceMs })?.error).toMatchObject({
        code: "denied",
        reason: "address_refused",
        message: expect.stringContaining(
          '"inside.example" has the address 127.0.0.1, which is loopback (127.0.0.0/8)',
        ),
      });
    }
    expect(filter.problemOf(SITE, { sinceMs })).toBeUndefined();
  });
});
