// A sample plugin that shares its id with another.

export default (api) => {
  api.registerTool({
    name: "twin_tool",
    description: "a-first",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [] }),
  });
};
