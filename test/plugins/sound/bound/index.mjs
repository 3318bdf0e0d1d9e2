// A sample plugin whose method needs its own object, and which registers asynchronously.

class Plugin {
  toolName = "bound_tool";

  async activate(api) {
    const { toolName } = this;
    const note = api.resolvePath("notes/today.md");
    api.registerTool({
      name: toolName,
      description: note,
      parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [] }),
    });
  }
}

export default new Plugin();
