// The published schema of the protocol: what the gateway answers must fit it.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect } from "vitest";

const FILE = "../../node_modules/@openclaw/gateway-protocol/protocol.schema.json";
const schema = JSON.parse(readFileSync(new URL(FILE, import.meta.url), "utf8"));
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ definitions: schema.definitions }, "protocol");

/** Fails the test with what does not fit. */
export function assertFits(definition: string, value: unknown): void {
  const check = ajv.getSchema(`protocol#/definitions/${definition}`);
  if (check === undefined) throw new Error(`the protocol has no definition ${definition}`);
  expect(check(value), JSON.stringify(check.errors?.slice(0, 5))).toBe(true);
}
