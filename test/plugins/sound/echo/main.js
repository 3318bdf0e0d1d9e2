// A sample plugin that uses every member of the plugin API.

const noParameters = { type: "object", properties: {} };
const say = (text) => ({ content: [{ type: "text", text }] });

export function register(api) {
  api.registerTool({
    name: "echo",
    label: "Echo",
    description: "Says what it hears",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    execute: async (_id, params) => say(`${api.name}: ${params.text}`),
  });
  api.registerTool(
    {
      name: "echo_loud",
      description: "Says it louder",
      parameters: noParameters,
      execute: async () => say("!"),
    },
    { optional: true },
  );
  api.registerTool(
    (ctx) =>
      ctx.workspaceDir
        ? {
            name: "echo_folder",
            description: "Says where it is",
            parameters: noParameters,
            execute: async () => say(ctx.workspaceDir),
          }
        : null,
    { name: "echo_folder" },
  );
  api.registerConnector({
    id: "echo-connector",
    label: "Echo",
    provider: "echo",
    api: "echo-stream",
    models: [{ id: "echo-1", api: "echo-stream", provider: "echo" }],
    async *stream() {
      yield { type: "start" };
      yield { type: "text_delta", delta: "hello" };
      yield { type: "done", stopReason: "stop" };
    },
  });
  const handler = () => undefined;
  api.registerHook(["message_sent", "session_end"], handler);
  api.registerHttpHandler(handler);
  api.registerHttpRoute({ path: "/echo", handler });
  api.registerChannel({ plugin: { id: "echo-channel" } });
  api.registerGatewayMethod("echo.say", handler);
  api.registerCli(handler, { commands: ["echo"] });
  api.registerService({ id: "echo-service", start: handler });
  api.registerProvider({ id: "echo-provider" });
  api.registerCommand({ name: "echo-command", description: "", handler });
  api.on("before_tool_call", handler);
}
