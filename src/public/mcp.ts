// The door `clawtools/mcp`: a toolkit as an MCP server.

export {
  createMcpApprovals,
  type HttpServerLimits,
  type McpApprovals,
  type McpHttpOptions,
  type McpServer,
  type ServeMcpOptions,
  type StdioStreams,
  serveMcp,
} from "../mcp/server/index.js";
