// A slip of one provider: xAI sends the arguments of tool calls as if they stood in HTML. Decoded
// for its models alone, because for any other `&amp;` is what the model meant.

import { isRecord } from "../schema/json-value.js";
import { isPlainObject } from "./copy-plain.js";

/** How text is in the arguments of a call. */
export type TextEncoding = "plain" | "html";

const XAI_PROVIDERS: ReadonlySet<string> = new Set(["xai", "x-ai"]);
/** How routers name the models of xAI: `x-ai/grok-4`. */
const XAI_MODEL = /^x-?ai\//;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["quot", '"'],
  ["#34", '"'],
  ["#x22", '"'],
  ["apos", "'"],
  ["#39", "'"],
  ["#x27", "'"],
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
]);
const ENTITY = /&(quot|apos|lt|gt|amp|#34|#39|#x22|#x27);/gi;

export function textEncodingOf(model: {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}): TextEncoding {
  const provider = model.provider?.trim().toLowerCase() ?? "";
  const name = model.model?.trim().toLowerCase() ?? "";
  return XAI_PROVIDERS.has(provider) || XAI_MODEL.test(name) ? "html" : "plain";
}

/** Once, from left to right: `&amp;lt;` was `&lt;`. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, name: string) => ENTITIES.get(name.toLowerCase()) ?? whole);
}

/** Every text of `value`, which has passed the argument limits; keys stay as they are. */
export function decodeTexts(value: unknown): unknown {
  if (typeof value === "string") return decodeEntities(value);
  if (Array.isArray(value)) return value.map(decodeTexts);
  if (!isRecord(value) || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decodeTexts(part)]));
}
