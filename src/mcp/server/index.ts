// The door of the MCP server.

export type { HttpServerLimits, McpHttpOptions, MountedMcp } from "./http/serve-http.js";
export { isHttpToken, MIN_TOKEN_CHARS } from "./http/token.js";
export { type McpServer, mountMcp, type ServeMcpOptions, serveMcp } from "./serve-mcp.js";
export { createMcpApprovals, type McpApprovals } from "./session/approvals/desk.js";
export type { StdioStreams } from "./stdio/serve-stdio.js";
