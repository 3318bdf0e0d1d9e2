// One turn out of an OpenAI request: which agent and session it means, and the message for the agent.

import type { IncomingMessage } from "node:http";
import { ToolError, ToolInputError } from "../../../core/index.js";
import { readField, readText } from "../../../lib/read-field.js";
import { parseSessionKey } from "../../../sessions/index.js";
import type { GatewayServices } from "../../services.js";

const MODEL = /^(?:clawtools|openclaw)(?:[/:](.+))?$/i;
const RESERVED = /^(?:subagent|cron|acp):/;
const SESSION_HEADERS = ["x-openclaw-session-key", "x-clawtools-session-key"];

export interface Turn {
  readonly runId: string;
  readonly sessionKey: string;
  /** As the client named it. */
  readonly model: string;
  readonly message: string;
  readonly attachments: readonly { readonly content: string }[];
}

interface Said {
  readonly role: string;
  readonly text: string;
  readonly images: readonly string[];
}

/** Throws a ToolInputError that names the wrong field. */
export async function readTurn(
  { headers }: Pick<IncomingMessage, "headers">,
  body: unknown,
  services: Pick<GatewayServices, "agent" | "agents" | "random">,
): Promise<Turn> {
  const runId = services.random.hex(16);
  const model = readText(body, "model") ?? "openclaw";
  const agentId = findAgentId(model, services.agents);
  const asked = await findSession({ headers, body, agent: services.agent });
  const sessionKey = parseSessionKey(asked ?? `openai:${runId}`, { agentId });
  if (RESERVED.test(sessionKey.rest)) {
    throw new ToolInputError(
      `The session key "${sessionKey.rest.slice(0, 80)}" is reserved. Choose one that does not begin with subagent:, cron: or acp:.`,
      { reason: "session_key_invalid" },
    );
  }
  const said = readMessages(body);
  const content = toMessage(said, { isFresh: asked === undefined });
  return { runId, sessionKey: sessionKey.key, model, ...content };
}

function findAgentId(model: string, { list, defaultId }: GatewayServices["agents"]): string {
  const [isOurs, wanted = "default"] = MODEL.exec(model) ?? [];
  const ids = list().map(({ id }) => id);
  const id = wanted === "default" ? defaultId : ids.find((one) => one === wanted.toLowerCase());
  if (isOurs !== undefined && id !== undefined) return id;
  throw new ToolInputError(
    `model "${model.slice(0, 80)}" is not an agent. Use openclaw or ${ids.map((one) => `openclaw/${one}`).join(", ")}.`,
    { reason: "agent_unknown" },
  );
}

/** Undefined: a fresh one. */
async function findSession(given: {
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
  readonly agent: Pick<GatewayServices["agent"], "run">;
}): Promise<string | undefined> {
  const named = SESSION_HEADERS.map((name) => given.headers[name]).find((one) => one !== undefined);
  if (named !== undefined) return String(named);
  const previous = readText(given.body, "previous_response_id");
  if (previous !== undefined) {
    const run = await given.agent.run(previous.replace(/^resp_/, ""));
    if (run) return run.sessionKey;
    throw new ToolError("not_found", `No response has the id "${previous.slice(0, 80)}".`, {
      reason: "response_unknown",
    });
  }
  const user = readText(given.body, "user");
  return user === undefined ? undefined : `openai-user:${user}`;
}

/** `messages` of chat completions; `instructions` and `input` of responses. */
function readMessages(body: unknown): Said[] {
  const instructions = readText(body, "instructions");
  const given = readField(body, "messages") ?? readField(body, "input");
  const list = typeof given === "string" ? [{ role: "user", content: given }] : given;
  if (!Array.isArray(list)) {
    throw new ToolInputError("Send messages, a list of { role, content }, or input, a text.");
  }
  const said = list.map(readMessage).filter(({ text, images }) => text !== "" || images.length > 0);
  return instructions === undefined
    ? said
    : [{ role: "system", text: instructions, images: [] }, ...said];
}

function readMessage(given: unknown): Said {
  const content = readField(given, "content") ?? readField(given, "output");
  const parts: unknown[] = Array.isArray(content) ? content : [{ text: content }];
  return {
    role: readText(given, "role") ?? "tool",
    text: parts.flatMap((part) => readText(part, "text") ?? []).join("\n"),
    images: parts.flatMap((part) => {
      const image = readField(part, "image_url");
      return readText(image, "url") ?? (typeof image === "string" ? image : []);
    }),
  };
}

/** An existing session knows the earlier messages; a fresh one gets them too. */
function toMessage(
  said: readonly Said[],
  { isFresh }: { readonly isFresh: boolean },
): Pick<Turn, "message" | "attachments"> {
  const isRule = ({ role }: Said) => role === "system" || role === "developer";
  const rules = said.filter(isRule).map(({ text }) => text);
  const talk = said.filter((one) => !isRule(one));
  const answeredUpTo = talk.findLastIndex(({ role }) => role === "assistant") + 1;
  const latest = talk.slice(answeredUpTo);
  if (latest.length === 0) throw new ToolInputError("The last message must be one of the user.");
  const earlier = isFresh
    ? talk.slice(0, answeredUpTo).map(({ role, text }) => `${role}: ${text}`)
    : [];
  const message = [
    ...(rules.length === 0 ? [] : [`Instructions:\n${rules.join("\n\n")}`]),
    ...(earlier.length === 0 ? [] : [`Earlier in this conversation:\n${earlier.join("\n\n")}`]),
    ...latest.map(({ text }) => text),
  ].join("\n\n");
  return { message, attachments: latest.flatMap(({ images }) => images.map(readImage)) };
}

function readImage(url: string): { content: string } {
  if (url.startsWith("data:")) return { content: url };
  throw new ToolInputError(
    `image_url "${url.slice(0, 80)}" is not a data URL. Send the image as data:image/png;base64,….`,
  );
}
