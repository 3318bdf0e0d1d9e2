// The code that runs inside pages, in a world of its own that the page cannot see: one function that
// takes a question and gives an answer, both JSON text.

import type { OperationName, Operations } from "./protocol.js";

type Answerers = {
  readonly [Name in OperationName]: (asks: Operations[Name]["asks"]) => Operations[Name]["answers"];
};

const answerers: Partial<Answerers> = {};

/** Throws for a question that nobody answers. */
export function answer(question: string): string {
  const asks = JSON.parse(question) as { readonly op: OperationName };
  const answerer = answerers[asks.op] as ((asks: unknown) => unknown) | undefined;
  if (!answerer) throw new Error(`No operation ${asks.op}.`);
  return JSON.stringify(answerer(asks));
}
