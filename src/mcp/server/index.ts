// The door of the MCP server.

export { isHttpToken, MIN_TOKEN_CHARS } from "./http/guard.js";
export type { HttpServerLimits } from "./http/http-sessions.js";
export type { McpHttpOptions, MountedMcp } from "./http/serve-http.js";
export { type McpServer, mountMcp, type ServeMcpOptions, serveMcp } from "./serve-mcp.js";
export type { StdioStreams } from "./serve-stdio.js";
export { createMcpApprovals, type McpApprovals } from "./session/approvals.js";
