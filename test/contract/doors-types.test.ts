// The types of every door of the package: one that comes or goes is a decision, as it is for values.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const CONNECTORS = [
  "Api",
  "AssistantMessage",
  "AuthMode",
  "AuthResolver",
  "Connector",
  "ContextMessage",
  "ConversationMessage",
  "ImageContent",
  "JsonSchema",
  "KnownApi",
  "ModelCost",
  "ModelDescriptor",
  "ProviderConfig",
  "ResolvedAuth",
  "SerializedModel",
  "StreamContext",
  "StreamEvent",
  "StreamOptions",
  "TextContent",
  "ToolResultMessage",
  "UsageInfo",
  "UserMessage",
];
const PLUGINS = [
  "ConnectorRegistration",
  "IgnoredRegistration",
  "LoadedPlugin",
  "PluginApi",
  "PluginDefinition",
  "PluginLoaderOptions",
  "PluginLogger",
  "PluginManifest",
  "PluginProblem",
  "PluginToolFactory",
  "ToolRegistrationOptions",
];
const TOOLS = [
  "AfterCallHook",
  "AnthropicTool",
  "AnthropicUserMessage",
  "ApprovalAnswer",
  "ApprovalRequest",
  "Approver",
  "AuditRow",
  "BeforeCallAnswer",
  "BeforeCallEvent",
  "BeforeCallHook",
  "BooleanParamOptions",
  "BudgetLimits",
  "BudgetUse",
  "CallContext",
  "Clock",
  "CompiledSchema",
  "CompiledTools",
  "ContentBlock",
  "ContextField",
  "Diagnostic",
  "DiagnosticCode",
  "DiagnosticListener",
  "DiscoveryOptions",
  "DiscoveryScope",
  "ErrorCode",
  "ErrorDetails",
  "ExplainCode",
  "ExplainRow",
  "ExtractOptions",
  "FsBridge",
  "FsPath",
  "FsStat",
  "GeminiContent",
  "GeminiTools",
  "Hooks",
  "ImageContent",
  "ImageResultParams",
  "Invoke",
  "InvokeRequest",
  "InvokeResult",
  "LayerId",
  "LintFault",
  "NodeBridgeOptions",
  "NumberParamOptions",
  "OpenAIResponsesOutput",
  "OpenAIResponsesTool",
  "OpenAITool",
  "OpenAIToolMessage",
  "ParameterSchema",
  "ParametersOf",
  "PolicyDecision",
  "PolicyDenial",
  "PolicyInput",
  "PolicyLayerSummary",
  "PolicyRequest",
  "PolicySender",
  "PolicyTool",
  "PolicyWarning",
  "QuarantinedTool",
  "RandomSource",
  "ResolveByProfileOptions",
  "ResolveErrorCallback",
  "ResolveOptions",
  "SchemaChange",
  "SchemaCompiler",
  "SchemaRequest",
  "SchemaTarget",
  "StandardSchema",
  "StringArrayParamOptions",
  "StringParamOptions",
  "TargetRequest",
  "TextContent",
  "Tool",
  "ToolCall",
  "ToolContext",
  "ToolDefinition",
  "ToolErrorOptions",
  "ToolFactory",
  "ToolLimits",
  "ToolMeta",
  "ToolPolicy",
  "ToolProfile",
  "ToolRegistration",
  "ToolResult",
  "ToolSchema",
  "ToolSection",
  "ToolSpec",
  "ToolUpdate",
  "ToolUpdateCallback",
  "Toolkit",
  "ToolkitEvents",
  "UntrustedWrapper",
  "WireToolCall",
  "WireToolResult",
];
const MAIN = ["Clawtools", "ClawtoolsConfig", "ClawtoolsOptions", "ToolkitOptions"];

/** The names behind `type` in the lists of a door. */
function typesOf(door: string): string[] {
  const text = readFileSync(new URL(`../../src/public/${door}.ts`, import.meta.url), "utf8");
  const lists = [...text.matchAll(/export (type )?\{([^}]*)\}/g)];
  return lists
    .flatMap(([, all, names = ""]) => {
      const items = names.split(",").map((name) => name.trim());
      return all ? items : items.filter((item) => item.startsWith("type "));
    })
    .map((item) => item.replace(/^type /, ""))
    .filter((item) => item !== "")
    .sort();
}

describe("the types of the doors", () => {
  it.each([
    ["connectors", CONNECTORS],
    ["plugins", PLUGINS],
    ["tools", TOOLS],
    ["index", MAIN],
  ])("%s has exactly these", (door, names) => {
    expect(typesOf(door)).toEqual([...names].sort());
  });
});
