// A sample plugin that fails half way.

export async function register(api) {
  api.registerTool({
    name: "half_done",
    description: "Must not stay",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [] }),
  });
  await Promise.resolve();
  throw new Error("the second half is missing");
}
