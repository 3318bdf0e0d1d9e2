// docs/web_fetch.md: its program prints what the page shows, and its numbers are those of the code.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { webFetch } from "../../src/tools/web_fetch/index.js";
import * as limits from "../../src/tools/web_fetch/settings.js";
import { runNode } from "../fakes/run-node.js";

const PAGE = readFileSync(new URL("../../docs/web_fetch.md", import.meta.url), "utf8");

/** What is drawn anew each time: ids of the wrapper and of artifacts, the port. */
const settled = (text: string) =>
  text
    .replace(/\bid="[0-9a-f]{8}"/g, "ID")
    .replace(/artifact:\/\/[0-9a-f]+/g, "artifact://ID")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT");

describe("docs/web_fetch.md", () => {
  it("begins with a program and its real output", async () => {
    const [, program = "", output = ""] =
      /^```js\n([\s\S]*?)^```\n\n^```\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
    const run = await runNode(["--input-type=module", "--eval", program]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(settled(run.stdout)).toBe(settled(output));
  });

  it("has a row for every parameter", () => {
    for (const name of Object.keys(webFetch.parameters.properties as object)) {
      expect(PAGE).toMatch(new RegExp(`^\\| \`${name}\``, "m"));
    }
  });

  it("has the limits of the code", () => {
    for (const text of [
      `from ${limits.MIN_MAX_CHARS}; default`,
      `both ${limits.DEFAULT_MAX_CHARS};`,
      `\`tools.web.fetch.maxResponseBytes\`, ${limits.DEFAULT_MAX_RESPONSE_BYTES};`,
      `\`tools.web.fetch.timeoutSeconds\`, ${limits.DEFAULT_TIMEOUT_SECONDS} |`,
      `\`tools.web.fetch.maxRedirects\`, ${limits.DEFAULT_MAX_REDIRECTS} |`,
      `characters kept for paging | ${limits.MAX_KEPT_CHARS} |`,
      `\`tools.web.fetch.cacheTtlMinutes\`, ${limits.DEFAULT_CACHE_MINUTES} minutes`,
    ]) {
      expect(PAGE).toContain(text);
    }
  });
});
