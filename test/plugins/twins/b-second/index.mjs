// A sample plugin that shares its id with another.

export default (api) => {
  api.registerTool({
    name: "twin_tool",
    description: "b-second",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [] }),
  });
};
