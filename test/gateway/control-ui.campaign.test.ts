// `gateway.controlUi.root`: static files, nothing outside their folder; and in `npm run campaign` the chat
// page of the published OpenClaw package in a real Chromium.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { lendChromium } from "../browser/launch-chromium.js";
import { campaignSize, reportCampaign } from "../fakes/campaign.js";
import { makeFolder, startGateway } from "./start-gateway.js";

const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const TITLE = "the chat page of OpenClaw 2026.9.6 sends a message and shows the answer";
const LONG_MS = 30 * 60_000;
const WAIT_MS = 120_000;
const SCRIPT = "document.title = 'x';";

const run = promisify(execFile);

function makeFiles(): string {
  const root = makeFolder();
  mkdirSync(join(root, "assets"));
  const page = `<html lang="en"><script>${SCRIPT}</script><script src="./assets/a.js"></script></html>`;
  writeFileSync(join(root, "index.html"), page);
  writeFileSync(join(root, "assets", "a.js"), "1;");
  const secret = join(makeFolder(), "secret.txt");
  writeFileSync(secret, "secret");
  symlinkSync(secret, join(root, "link.txt"));
  return root;
}

async function startUi(root: string) {
  const { gateway, token } = await startGateway({
    config: { gateway: { controlUi: { root } }, agents: { defaults: { model: "debug/parrot-1" } } },
  });
  return { token, base: gateway.url.replace(/^ws/, "http").replace(/\/$/, "") };
}

it("serves the files of the folder, and its first page for deep links", async () => {
  const { base, token } = await startUi(makeFiles());
  for (const path of ["/", "/chat/main"]) {
    const response = await fetch(`${base}${path}`);
    expect(await response.text()).toContain('src="/assets/a.js"');
    const hash = createHash("sha256").update(SCRIPT).digest("base64");
    expect(response.headers.get("content-security-policy")).toContain(
      `script-src 'self' 'sha256-${hash}';`,
    );
  }
  const asset = await fetch(`${base}/assets/a.js`);
  expect(asset.headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(await asset.text()).toBe("1;");
  expect((await fetch(`${base}/control-ui-config.json`)).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  const config = await fetch(`${base}/control-ui-config.json`, { headers });
  expect(await config.json()).toMatchObject({ basePath: "", assistantAgentId: "main" });
});

it.each([
  "/link.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/%2e%2e/etc/passwd.txt",
  "/assets/missing.js",
  "/v1/models",
  "/api/x",
])("answers 404 to %s", async (path) => {
  const { base } = await startUi(makeFiles());
  const response = await fetch(`${base}${path}`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("secret");
});

it("serves nothing without the key", async () => {
  const { gateway } = await startGateway();
  expect((await fetch(gateway.url.replace(/^ws/, "http"))).status).toBe(404);
});

it.runIf(IS_CAMPAIGN)(TITLE, { timeout: LONG_MS }, async () => {
  const folder = makeFolder();
  await run("npm", ["pack", "openclaw@2026.9.6"], { cwd: folder, timeout: LONG_MS });
  const archive = "openclaw-2026.9.6.tgz";
  await run("tar", ["xzf", archive, "package/dist/control-ui"], { cwd: folder, timeout: LONG_MS });
  const { base, token } = await startUi(join(folder, "package", "dist", "control-ui"));
  const browser = await lendChromium();
  onTestFinished(() => browser.close());
  const page = await (await browser.newContext()).newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(`${base}/chat/main#token=${token}`);
  const box = page.locator("textarea").first();
  await box.waitFor({ timeout: WAIT_MS });
  const text = "hello from the page";
  await expect
    .poll(
      async () => {
        await box.fill(text);
        await box.press("Enter");
        return box.inputValue();
      },
      { timeout: WAIT_MS },
    )
    .toBe("");
  // The message and its echo, each once.
  const count = async () => (await page.locator("body").innerText()).split(text).length - 1;
  await expect.poll(count, { timeout: WAIT_MS }).toBe(2);
  expect(errors).toEqual([]);
  reportCampaign({ title: TITLE, size: 1 });
});
