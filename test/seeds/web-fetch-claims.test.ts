// What the documents say about web_fetch. The numbers in the titles are those of the claims.
import { createClawtools } from "clawtools";
import { describe, expect, it } from "vitest";
import { createPageNet } from "../fakes/page-net.js";
import { resolveTool } from "../fakes/resolve-tool.js";

const PAGE = "https://site.example/a";
const SCRAPE = "https://api.firecrawl.dev/v2/scrape";

function resolveFetch(net: ReturnType<typeof createPageNet>, fetch: object = {}) {
  const { tools } = createClawtools();
  const config = { tools: { web: { fetch } } };
  return resolveTool({ registry: tools, name: "web_fetch", ctx: { net, config } });
}

describe("web_fetch", () => {
  it("18 · has a config of its own", async () => {
    const net = createPageNet({ [PAGE]: { body: "text", type: "text/plain" } });
    await resolveFetch(net, { userAgent: "reader/1" }).execute("call_1", { url: PAGE });
    expect(net.asked[0]?.headers?.["user-agent"]).toBe("reader/1");
  });

  it("18 · needs no context to be there", () => {
    const { tools } = createClawtools();
    const row = tools.explain({}).find(({ id }) => id === "web_fetch");
    expect(row?.status).toBe("present");
  });

  it("230 · takes addresses of http and https only", async () => {
    const { tools } = createClawtools();
    const tool = resolveTool({ registry: tools, name: "web_fetch" });
    const result = await tool.execute("call_1", { url: "ftp://site.example/a" });
    expect(result.details).toMatchObject({ code: "invalid_input", reason: "scheme_refused" });
  });

  it("237 · falls back to Firecrawl where a page keeps programs out", async () => {
    const answer = { data: { markdown: "The text behind the wall." } };
    const net = createPageNet({
      [PAGE]: { body: "Are you a robot?", status: 403 },
      [SCRAPE]: { body: JSON.stringify(answer), type: "application/json" },
    });
    const result = await resolveFetch(net, { firecrawl: { apiKey: "fc-1" } }).execute("call_1", {
      url: PAGE,
    });
    expect(result.details).toMatchObject({ extractor: "firecrawl" });
  });
});
