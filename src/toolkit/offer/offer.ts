// What a toolkit offers at this moment, in every form: tools, schemas, text, rows, and what a name of
// a call leads to. For one provider they all come from one set, so they cannot disagree.

import {
  type Callable,
  createSchemaCompiler,
  type Explain,
  foldName,
  type PolicyWarning,
  type SchemaRequest,
  type Tool,
  ToolError,
  type ToolSchema,
} from "../../core/index.js";
import type { KnownTools } from "../known/known-tools.js";
import { createExplain } from "./explain.js";
import { formatPrompt } from "./prompt.js";
import { type ProviderView, viewForProvider } from "./provider-view.js";
import { readSchemaRequest } from "./read-request.js";
import type { ToolSet } from "./tool-set.js";

/** Of other providers than the toolkit's own; a program asks for a few. */
const MAX_OTHER_SETS = 16;

export interface OfferSource {
  readonly known: KnownTools;
  /** What the policy leaves for one provider and model. */
  readonly buildSet: (request: SchemaRequest) => ToolSet;
  /** For whom the toolkit was made. */
  readonly own: SchemaRequest;
  readonly factsOf: (id: string) => readonly string[] | undefined;
}

export interface Offer {
  tools(): readonly Tool[];
  schemas(request?: SchemaRequest): ToolSchema[];
  prompt(request?: SchemaRequest): string;
  readonly explain: Explain;
  /** A tool that the model was not told of cannot be called either. */
  find(name: string): Callable | ToolError;
  /** Throws when policy does not let the tool run. */
  authorize(name: string): void;
  warnings(): readonly PolicyWarning[];
  /** Looks again at what is known. */
  renew(): void;
}

export function createOffer({ known, buildSet, own, factsOf }: OfferSource): Offer {
  const compiler = createSchemaCompiler();
  let set = buildSet(own);
  /** By the toolkit's own provider, for the set of now; looked up at the first call. */
  let refused: ReadonlyMap<string, string> | undefined;
  const otherSets = new Map<string, ToolSet>();

  const setFor = (request: SchemaRequest): ToolSet => {
    const key = keyOf(request);
    if (key === keyOf(own)) return set;
    const found = otherSets.get(key) ?? buildSet(request);
    const [oldest] = otherSets.keys();
    if (otherSets.size >= MAX_OTHER_SETS && oldest !== undefined) otherSets.delete(oldest);
    otherSets.set(key, found);
    return found;
  };

  // Another provider has other models, so the toolkit's own model says nothing about it.
  const view = ({ provider, model }: SchemaRequest = {}): ProviderView => {
    const isOwn = provider === undefined;
    const meant = isOwn
      ? { provider: own.provider, model: model ?? own.model }
      : { provider, model };
    return viewForProvider(setFor(meant), { ...meant, compiler });
  };

  return {
    tools: () => view().tools,
    schemas: (request) => view(readSchemaRequest(request, "schemas")).schemas,
    prompt: (request) =>
      formatPrompt(view(readSchemaRequest(request, "prompt")).tools, known.definitions),
    explain: createExplain({
      listRows: (request) => view(request).rows,
      otherNames: known.otherNames,
      factsOf,
    }),
    find(name) {
      refused ??= view().refused;
      const found = set.find(name);
      const reason = found instanceof ToolError ? undefined : refused.get(found.name);
      return reason === undefined ? found : schemaRefused(name, reason);
    },
    authorize: (name) => set.authorize(name),
    warnings: () => set.warnings,
    renew() {
      set = buildSet(own);
      refused = undefined;
      otherSets.clear();
    },
  };
}

function keyOf({ provider = "", model = "" }: SchemaRequest): string {
  return JSON.stringify([foldName(provider), foldName(model)]);
}

function schemaRefused(name: string, reason: string): ToolError {
  return new ToolError("unavailable", `${name} cannot be used: ${reason}`, {
    reason: "schema_refused",
  });
}
