// Which keys the schema knows: one by its place, and all of them for completion.

import { nearestName } from "../../lib/nearest-name.js";
import { listNames } from "../check-words.js";
import { type KeyPath, type Step, showKeyPath, showName } from "../problem.js";
import { configSchemaNode, type SchemaNode } from "../schema.js";

export type KnownKey =
  | { readonly status: "known"; readonly node: SchemaNode }
  | { readonly status: "open" }
  | { readonly status: "unknown"; readonly place: string; readonly why: string };

export interface ListedKey {
  readonly path: string;
  readonly node: SchemaNode;
}

const MAX_LISTED_DEPTH = 8;

export function findKey(path: KeyPath): KnownKey {
  let nodes: readonly SchemaNode[] = formsOf(configSchemaNode());
  for (const [index, step] of path.entries()) {
    const next = nodes.flatMap((node) => stepInto(node, step)).flatMap(formsOf);
    if (next.length === 0) {
      const isTaken = isOpen(nodes) && nearestName(String(step), listKnown(nodes)) === undefined;
      return isTaken ? { status: "open" } : unknown(nodes, path.slice(0, index + 1));
    }
    nodes = next;
  }
  const [first] = nodes;
  if (first === undefined) return { status: "open" };
  return { status: "known", node: nodes.length === 1 ? first : { anyOf: nodes } };
}

export function listConfigKeys(): ListedKey[] {
  return listBelow(configSchemaNode(), []);
}

function listBelow(node: SchemaNode, path: KeyPath): ListedKey[] {
  if (path.length > MAX_LISTED_DEPTH) return [];
  return formsOf(node).flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([, inner]) => inner.deprecated !== true)
      .flatMap(([name, inner]) => [
        { path: showKeyPath([...path, name]), node: inner },
        ...listBelow(inner, [...path, name]),
      ]),
  );
}

function formsOf(node: SchemaNode): readonly SchemaNode[] {
  return node.anyOf === undefined ? [node] : node.anyOf.flatMap(formsOf);
}

function stepInto(node: SchemaNode, step: Step): SchemaNode[] {
  if (node.items !== undefined) return /^\d{1,9}$/.test(String(step)) ? [node.items] : [];
  const { properties, additionalProperties } = node;
  if (typeof step !== "string") return [];
  if (properties !== undefined && Object.hasOwn(properties, step)) {
    const property = properties[step];
    return property === undefined ? [] : [property];
  }
  return additionalProperties === undefined || additionalProperties === true
    ? []
    : [additionalProperties];
}

function isOpen(nodes: readonly SchemaNode[]): boolean {
  return nodes.some(
    ({ type, properties, additionalProperties }) =>
      additionalProperties === true || (type === "object" && properties === undefined),
  );
}

function unknown(nodes: readonly SchemaNode[], path: KeyPath): KnownKey {
  return { status: "unknown", place: showKeyPath(path), why: sayUnknown(nodes, path) };
}

function listKnown(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([, node]) => node.deprecated !== true)
      .map(([key]) => key),
  );
}

function sayUnknown(nodes: readonly SchemaNode[], path: KeyPath): string {
  const name = String(path.at(-1));
  const refused = nodes
    .map(({ properties = {} }) => (Object.hasOwn(properties, name) ? properties[name] : undefined))
    .find((one) => one !== undefined);
  if (refused !== undefined) {
    return `is not supported. ${refused.description ?? ""}`.trim();
  }
  const names = listKnown(nodes);
  if (names.length === 0) return "is in a value that takes no keys";
  const nearest = nearestName(name, names);
  const hint =
    nearest === undefined
      ? `known here: ${listNames(names)}`
      : `did you mean ${showName(nearest)}?`;
  return `is not a known key; ${hint}`;
}
