// The runtime names of every door of the package: a name that comes or goes is a decision.
import * as main from "clawtools";
import * as adapters from "clawtools/adapters";
import * as agent from "clawtools/agent";
import * as connectors from "clawtools/connectors";
import * as mcp from "clawtools/mcp";
import * as plugins from "clawtools/plugins";
import * as testing from "clawtools/testing";
import * as tools from "clawtools/tools";
import { describe, expect, it } from "vitest";

const ADAPTERS = ["toAISDK", "toPi"];
const CONNECTORS = [
  "ConnectorRegistry",
  "createDebugConnector",
  "deserializeModel",
  "discoverBuiltinConnectors",
  "fromLanguageModel",
  "resolveAuth",
  "serializeModel",
];
const MCP = ["createMcpApprovals", "serveMcp"];
const PLUGINS = ["loadPlugins"];
const TESTING = ["createMemoryBridge", "createScriptedConnector"];
const TOOLS = [
  "ToolAuthorizationError",
  "ToolError",
  "ToolInputError",
  "ToolRegistry",
  "ToolResolutionError",
  "assertRequiredParams",
  "chooseSchemaTarget",
  "cleanSchemaForGemini",
  "compilePolicy",
  "compileSchema",
  "compileTools",
  "createNodeBridge",
  "createSchemaCompiler",
  "defineTool",
  "discoverCoreTools",
  "discoverCoreToolsAsync",
  "errorResult",
  "extractToolSchema",
  "extractToolSchemas",
  "filterToolsByPolicy",
  "fromAnthropicToolUse",
  "fromClaudeCodeName",
  "fromGeminiFunctionCalls",
  "fromOpenAIToolCalls",
  "getCoreSections",
  "getCoreToolCatalog",
  "getToolCatalog",
  "imageResult",
  "isToolError",
  "jsonResult",
  "lintSchema",
  "neutralizeText",
  "normalizeSchema",
  "normalizeToolName",
  "normalizeToolParameters",
  "readBooleanParam",
  "readNumberParam",
  "readStringArrayParam",
  "readStringParam",
  "resolveEffectiveToolPolicy",
  "t",
  "textOf",
  "textResult",
  "toAnthropicToolResults",
  "toAnthropicTools",
  "toClaudeCodeName",
  "toGeminiFunctionResponses",
  "toGeminiTools",
  "toOpenAIResponsesOutputs",
  "toOpenAIResponsesTools",
  "toOpenAIToolMessages",
  "toOpenAITools",
  "wrapUntrusted",
  "wrapUntrustedBlocks",
];
const MAIN = [
  "ConnectorRegistry",
  "ToolAuthorizationError",
  "ToolError",
  "ToolInputError",
  "ToolRegistry",
  "ToolResolutionError",
  "assertRequiredParams",
  "chooseSchemaTarget",
  "cleanSchemaForGemini",
  "compilePolicy",
  "compileSchema",
  "compileTools",
  "createClawtools",
  "createClawtoolsAsync",
  "createClawtoolsSync",
  "createDebugConnector",
  "createNodeBridge",
  "createSchemaCompiler",
  "createToolkit",
  "defineTool",
  "deserializeModel",
  "discoverBuiltinConnectors",
  "discoverCoreTools",
  "discoverCoreToolsAsync",
  "errorResult",
  "extractToolSchema",
  "extractToolSchemas",
  "filterToolsByPolicy",
  "fromAnthropicToolUse",
  "fromClaudeCodeName",
  "fromGeminiFunctionCalls",
  "fromLanguageModel",
  "fromOpenAIToolCalls",
  "getCoreSections",
  "getCoreToolCatalog",
  "getToolCatalog",
  "imageResult",
  "isToolError",
  "jsonResult",
  "lintSchema",
  "loadPlugins",
  "neutralizeText",
  "normalizeSchema",
  "normalizeToolName",
  "normalizeToolParameters",
  "readBooleanParam",
  "readNumberParam",
  "readStringArrayParam",
  "readStringParam",
  "resolveAuth",
  "resolveEffectiveToolPolicy",
  "serializeModel",
  "t",
  "textOf",
  "textResult",
  "toAnthropicToolResults",
  "toAnthropicTools",
  "toClaudeCodeName",
  "toGeminiFunctionResponses",
  "toGeminiTools",
  "toOpenAIResponsesOutputs",
  "toOpenAIResponsesTools",
  "toOpenAIToolMessages",
  "toOpenAITools",
  "wrapUntrusted",
  "wrapUntrustedBlocks",
];
const BUILDERS = [
  "array",
  "boolean",
  "choice",
  "integer",
  "number",
  "object",
  "optional",
  "record",
  "string",
  "unknown",
];

const namesOf = (door: object) => Object.keys(door).sort();

describe("the doors", () => {
  it("clawtools has exactly these names", () => {
    expect(namesOf(main)).toEqual(MAIN);
  });

  it("clawtools/adapters has exactly these names", () => {
    expect(namesOf(adapters)).toEqual(ADAPTERS);
  });

  it("clawtools/agent has exactly these names", () => {
    expect(namesOf(agent)).toEqual(["createAgent"]);
  });

  it("clawtools/tools has exactly these names", () => {
    expect(namesOf(tools)).toEqual(TOOLS);
  });

  it("clawtools/connectors has exactly these names", () => {
    expect(namesOf(connectors)).toEqual(CONNECTORS);
  });

  it("clawtools/mcp has exactly these names", () => {
    expect(namesOf(mcp)).toEqual(MCP);
  });

  it("clawtools/plugins has exactly these names", () => {
    expect(namesOf(plugins)).toEqual(PLUGINS);
  });

  it("clawtools/testing has exactly these names, and the main door has none of them", () => {
    expect(namesOf(testing)).toEqual(TESTING);
    expect(namesOf(main).filter((name) => TESTING.includes(name))).toEqual([]);
  });

  it("the main door holds everything the doors for programs hold, as the same values", () => {
    const held = new Map(Object.entries(main));
    for (const [name, value] of [tools, connectors, plugins].flatMap(Object.entries<unknown>)) {
      expect(held.get(name), name).toBe(value);
    }
  });

  it("t has exactly these builders", () => {
    expect(namesOf(tools.t)).toEqual(BUILDERS);
  });
});
