// A sample plugin with settings.

export default function register(api) {
  const { greeting } = api.pluginConfig;
  api.registerTool({
    name: "greet",
    description: greeting,
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: greeting }] }),
  });
}
