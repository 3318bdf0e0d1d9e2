// A sample plugin that wants names which belong to others.

const tool = (name) => ({
  name,
  description: "from the plugin",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [] }),
});

export function register(api) {
  api.registerTool(tool("read"));
  api.registerTool(() => [tool("READ"), tool("fine_too")], { names: ["fine_too", "READ"] });
  api.registerTool(tool("fine"));
  api.registerConnector({
    id: "taken",
    label: "Taken",
    provider: "plugin",
    api: "taken-stream",
    models: [],
    async *stream() {
      yield { type: "start" };
    },
  });
}
