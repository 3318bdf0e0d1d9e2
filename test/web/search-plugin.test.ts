// A plugin adds a provider of web search: it is asked like ours, and what cannot be used is told.
import { createToolkit, type Diagnostic, type Toolkit } from "clawtools";
import { loadPlugins } from "clawtools/plugins";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { textOf } from "./search-setting.js";

const toPlugin = (provider: string) => ({
  "finder/openclaw.plugin.json": JSON.stringify({ id: "finder" }),
  "finder/index.mjs": `export function register(api) {
  api.registerWebSearchProvider(${provider});
}
`,
});
const PROVIDER = `{
    id: "finder",
    label: "Finder",
    needs: "key",
    keyVariables: ["FINDER_API_KEY"],
    filters: () => ["freshness"],
    search: async ({ query, settings }) => ({
      kind: "results",
      hits: [{ title: query.text + " " + settings.options.depth, url: "https://finder.example/" }],
    }),
  }`;

async function start(provider: string, search: Record<string, unknown>): Promise<Toolkit> {
  const folder = await createTempFolder(toPlugin(provider));
  const toolkit = createToolkit({
    root: folder,
    stateDir: false,
    config: {
      plugins: { load: { paths: [folder] } },
      tools: { allow: ["*"], web: { search } },
    },
  });
  onTestFinished(() => toolkit.close());
  await toolkit.ready;
  return toolkit;
}

const ask = (toolkit: Toolkit) =>
  toolkit.invoke({ id: "call_1", name: "web_search", arguments: { query: "otters" } });

describe("a plugin with a provider of web search", () => {
  it("is asked when it is chosen, with the settings of its section", async () => {
    const toolkit = await start(PROVIDER, {
      provider: "finder",
      finder: { apiKey: "k", depth: 7 },
    });
    const result = await ask(toolkit);
    expect(result.details).toMatchObject({ kind: "results", provider: "finder" });
    expect(textOf(result)).toContain("1. otters 7");
  });

  it("is told which key it lacks", async () => {
    const result = await ask(await start(PROVIDER, { provider: "finder" }));
    expect(result.details).toMatchObject({
      reason: "search_key_missing",
      variables: ["FINDER_API_KEY"],
    });
  });

  it.each([
    ["of another shape", '{ id: "finder", createTool() {} }', /must have a label/],
    ["with one of our names", PROVIDER.replace('"finder"', '"brave"'), /exists already/],
    ["that is none", "7", /must be an object/],
  ])("is loaded without a provider %s, and that is reported", async (_what, provider, why) => {
    const toolkit = await start(provider, { provider: "finder" });
    expect((await ask(toolkit)).details).toMatchObject({ reason: "search_provider_unknown" });
    const messages = toolkit.diagnostics().map(({ message }: Diagnostic) => message);
    expect(messages.join("\n")).toMatch(why);
  });

  it("has it in the row of the loader, and in a registry that was given", async () => {
    const folder = await createTempFolder(toPlugin(PROVIDER));
    const ids: string[] = [];
    const [row] = await loadPlugins({
      searchPaths: [folder],
      searchProviderRegistry: {
        register: ({ id }) => {
          ids.push(id);
        },
        has: (id) => ids.includes(id),
        unregister: () => true,
      },
    });
    expect(row).toMatchObject({
      status: "loaded",
      searchProviders: [{ id: "finder" }],
      registered: { tools: [], connectors: [], searchProviders: ["finder"] },
    });
    expect(ids).toEqual(["finder"]);
  });
});
