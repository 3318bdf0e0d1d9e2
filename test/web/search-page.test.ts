// docs/web_search.md: its numbers are those of the code, its config is right, its plugin runs.
import { readFileSync } from "node:fs";
import { createToolkit } from "clawtools";
import json5 from "json5";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseConfig } from "../../src/config/index.js";
import { listProviders } from "../../src/tools/web_search/choose-providers.js";
import * as limits from "../../src/tools/web_search/settings.js";
import { createTempFolder } from "../plugins/temp-folder.js";

const PAGE = readFileSync(new URL("../../docs/web_search.md", import.meta.url), "utf8");
const blockOf = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? "";

describe("docs/web_search.md", () => {
  it("has the limits of the code", () => {
    for (const text of [
      `up to ${limits.MAX_QUERY_CHARS} characters`,
      `results, 1 to ${limits.MAX_RESULTS}; default \`tools.web.search.maxResults\`, ${limits.DEFAULT_MAX_RESULTS} |`,
      `\`tools.web.search.timeoutSeconds\`, ${limits.DEFAULT_TIMEOUT_SECONDS} |`,
      `| bytes of an answer | ${limits.MAX_ANSWER_BYTES};`,
      `| ${limits.MAX_TITLE_CHARS}, ${limits.MAX_SNIPPET_CHARS}, ${limits.MAX_URL_CHARS} |`,
      `| ${limits.MAX_CONTENT_CHARS}, and ${limits.MAX_CITATIONS} |`,
      `\`tools.web.search.cacheTtlMinutes\`, ${limits.DEFAULT_CACHE_MINUTES};`,
    ]) {
      expect(PAGE).toContain(text);
    }
  });

  it("lists every provider in its order, with what to set", () => {
    const providers = listProviders([]);
    const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (?:hits|an answer) \| (.*?) \|/gm)];
    expect(rows.map(([, id]) => id)).toEqual(providers.map(({ id }) => id));
    for (const [index, { keyVariables = [], addressVariable }] of providers.entries()) {
      const wanted = [...keyVariables, ...(addressVariable ? [addressVariable] : [])];
      for (const name of wanted) expect(rows[index]?.[2]).toContain(`\`${name}\``);
    }
  });

  it("tells the turns of each provider", () => {
    for (const { id, burst, requestsPerSecond = 0 } of listProviders([])) {
      const pace =
        requestsPerSecond < 1
          ? `1 every ${1 / requestsPerSecond} seconds`
          : `${requestsPerSecond} a second`;
      expect(PAGE).toMatch(
        new RegExp(`^\\| [^|]*\`${id}\`[^|]* \\| ${burst} \\| ${pace} \\|$`, "m"),
      );
    }
  });

  it("shows a config without a problem", () => {
    const config = json5.parse(blockOf("json5"));
    expect(parseConfig(config).problems).toEqual([]);
  });

  it("shows a plugin whose provider is taken", async () => {
    const folder = await createTempFolder({
      "finder/openclaw.plugin.json": JSON.stringify({ id: "finder-plugin" }),
      "finder/index.mjs": /```js\n(export function register[\s\S]*?)```/.exec(PAGE)?.[1] ?? "",
    });
    const toolkit = createToolkit({
      root: folder,
      stateDir: false,
      config: {
        plugins: { load: { paths: [folder] } },
        tools: { allow: ["*"], web: { search: { provider: "finder" } } },
      },
    });
    onTestFinished(() => toolkit.close());
    await toolkit.ready;
    const result = await toolkit.invoke({
      id: "call_1",
      name: "web_search",
      arguments: { query: "otters" },
    });
    expect(result.details).toMatchObject({
      reason: "search_key_missing",
      provider: "finder",
      variables: ["FINDER_API_KEY"],
    });
  });
});
