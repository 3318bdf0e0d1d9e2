// Plugins and connectors through the public doors, with the real registries.

import { fileURLToPath } from "node:url";
import { ConnectorRegistry, type StreamEvent } from "clawtools/connectors";
import { loadPlugins } from "clawtools/plugins";
import { ToolRegistry } from "clawtools/tools";
import { expect, it } from "vitest";

const SOUND = fileURLToPath(new URL("./sound/", import.meta.url));

it("148, 213 · a plugin's connector streams and its tool answers, from the real registries", async () => {
  const tools = new ToolRegistry();
  const connectors = new ConnectorRegistry();
  const rows = await loadPlugins({
    searchPaths: [SOUND],
    enabledPlugins: ["echo"],
    toolRegistry: tools,
    connectorRegistry: connectors,
  });
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    ["bound", "skipped"],
    ["configured", "skipped"],
    ["echo", "loaded"],
  ]);
  const result = await tools.resolve("echo")?.execute("call_1", { text: "hi" });
  expect(result?.content).toEqual([{ type: "text", text: "Echo: hi" }]);
  const connector = connectors.getByProvider("echo");
  const [model] = connector?.models ?? [];
  const events: StreamEvent[] = [];
  if (connector && model) {
    for await (const event of connector.stream(model, { messages: [] }, {})) events.push(event);
  }
  expect(events.map(({ type }) => type)).toEqual(["start", "text_delta", "done"]);
});

it("the documented loop registers what was only collected", async () => {
  const tools = new ToolRegistry();
  const rows = await loadPlugins({ searchPaths: [SOUND], enabledPlugins: ["echo"] });
  for (const plugin of rows) {
    for (const tool of plugin.tools) tools.register(tool);
    for (const { factory, names } of plugin.toolFactories) {
      tools.registerFactory(factory, {
        id: names?.[0] ?? `${plugin.id}-factory`,
        label: plugin.name,
        description: plugin.description ?? "",
        sectionId: "plugin",
        profiles: ["full"],
        source: "plugin",
        pluginId: plugin.id,
      });
    }
  }
  expect(tools.list().map(({ id }) => id)).toEqual(["echo", "echo_loud", "echo_folder"]);
});
