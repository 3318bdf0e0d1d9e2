// What the documents say about web_search. The numbers in the titles are those of the claims.
import { createClawtools } from "clawtools";
import { describe, expect, it } from "vitest";
import { createPageNet } from "../fakes/page-net.js";
import { resolveTool } from "../fakes/resolve-tool.js";
import { toEnvironment } from "../web/search-setting.js";

const EMPTY = { body: '{"query":{},"web":{"results":[]}}', type: "application/json" };
const ADDRESS = "https://api.search.brave.com/res/v1/web/search";

interface Setting {
  readonly search?: Record<string, unknown>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly pages?: Parameters<typeof createPageNet>[0];
}

async function ask(params: Record<string, unknown>, setting: Setting = {}) {
  const { search = { apiKey: "k" }, variables = {}, pages = {} } = setting;
  const net = createPageNet(pages);
  const { tools } = createClawtools();
  const ctx = {
    net,
    config: { tools: { web: { search } } },
    environment: toEnvironment(variables),
  };
  const tool = resolveTool({ registry: tools, name: "web_search", ctx });
  const result = await tool.execute("call_1", params);
  const [asked] = net.asked;
  const sent = asked ? Object.fromEntries(new URL(asked.url).searchParams) : {};
  return { result, asked, sent, text: JSON.stringify(result.content), net, tool };
}

describe("web_search", () => {
  it("18 · needs no context, and has keys in its own config and in the environment", async () => {
    const row = createClawtools()
      .tools.explain({})
      .find(({ id }) => id === "web_search");
    expect(row).toMatchObject({ status: "present", code: "ready" });
    const byConfig = await ask({ query: "a" });
    expect(byConfig.asked?.headers?.["x-subscription-token"]).toBe("k");
    const byEnvironment = await ask(
      { query: "a" },
      { search: {}, variables: { BRAVE_API_KEY: "e" } },
    );
    expect(byEnvironment.asked?.headers?.["x-subscription-token"]).toBe("e");
  });

  it("221, 222, 393 · takes query, and count from 1 to 10 with a configured default of 5", async () => {
    expect((await ask({ query: "a b" })).sent).toMatchObject({ q: "a b", count: "5" });
    expect((await ask({ query: "a", count: 10 })).sent.count).toBe("10");
    const search = { apiKey: "k", maxResults: 7 };
    expect((await ask({ query: "a" }, { search })).sent.count).toBe("7");
    expect((await ask({ query: "a", count: 0 })).sent.count).toBe("1");
    expect((await ask({ query: "a", count: 11 })).sent.count).toBe("10");
    expect((await ask({})).result.details).toMatchObject({ code: "invalid_input" });
  });

  it("223, 224 · takes country, search_lang and ui_lang", async () => {
    const { sent } = await ask({ query: "a", country: "DE", search_lang: "de", ui_lang: "de-DE" });
    expect(sent).toMatchObject({ country: "DE", search_lang: "de", ui_lang: "de-DE" });
  });

  it.each(["pd", "pw", "pm", "py", "2026-01-01to2026-01-31"])(
    "225 · takes %s as freshness",
    async (freshness) => {
      expect((await ask({ query: "a", freshness })).sent.freshness).toBe(freshness);
    },
  );

  it("226 · asks Brave or Perplexity", async () => {
    const { asked } = await ask({ query: "a" }, { search: { provider: "brave", apiKey: "k" } });
    expect(asked?.url).toContain("api.search.brave.com");
    const perplexity = { apiKey: "pplx-k" };
    const other = await ask({ query: "a" }, { search: { provider: "perplexity", perplexity } });
    expect(other.asked?.url).toBe("https://api.perplexity.ai/chat/completions");
  });

  it("227, 394 · names the command and the variable when the key of Brave is missing", async () => {
    const { text } = await ask({ query: "a" }, { search: { provider: "brave" } });
    expect(text).toContain("configure --section web");
    expect(text).toContain("BRAVE_API_KEY");
  });

  it("228 · is turned off by tools.web.search.enabled", async () => {
    const { result, net } = await ask({ query: "a" }, { search: { apiKey: "k", enabled: false } });
    expect(result.details).toMatchObject({ code: "denied", reason: "tool_disabled" });
    expect(net.asked).toHaveLength(0);
  });

  it("229 · answers the same question from its cache", async () => {
    const pages = { [`${ADDRESS}?q=a&count=5`]: EMPTY };
    const { result, net, tool } = await ask({ query: "a" }, { pages });
    expect(result.details).toMatchObject({ kind: "results", cached: false });
    const again = await tool.execute("call_2", { query: "a" });
    expect(again.details).toMatchObject({ cached: true });
    expect(net.asked).toHaveLength(1);
  });
});
