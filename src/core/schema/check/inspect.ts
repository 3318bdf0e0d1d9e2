// Explains what is wrong with a value. Used when the compiled check fails or cannot be used.

import { isOfType, isRecord } from "../json-value.js";
import {
  expected,
  findRepeat,
  followNode,
  inspectCount,
  inspectKind,
  inspectNumber,
  inspectText,
  listVariantWords,
  refuse,
  wordsForNames,
  wordsForVariants,
} from "./inspect-scalar.js";
import type { LinkedDocument, LinkedNode, LinkedSchema } from "./link.js";
import { addFinding, addFindings, createReport, isFull, type Report } from "./report.js";

const MAX_EXPLAINED_VARIANTS = 50;

interface Inspection {
  readonly definitions: LinkedDocument["definitions"];
  readonly report: Report | undefined;
}

export function fits(
  node: LinkedNode,
  value: unknown,
  definitions: LinkedDocument["definitions"],
): boolean {
  return inspect(node, value, { definitions, report: undefined });
}

export function explain(document: LinkedDocument, value: unknown, report: Report): void {
  inspect(document.root, value, { definitions: document.definitions, report });
}

function inspect(node: LinkedNode, value: unknown, inspection: Inspection): boolean {
  const { report, definitions } = inspection;
  if (typeof node === "boolean")
    return node || refuse(report, "other", () => "is not allowed here");
  // Of a value of the wrong kind nothing else is worth saying.
  if (!inspectKind(node, value, report)) return false;
  const answers = [inspectParts(node, value, inspection)];
  if (node.ref !== undefined) {
    answers.push(inspect(definitions[node.ref] ?? true, value, inspection));
  }
  for (const part of node.allOf) answers.push(inspect(part, value, inspection));
  answers.push(inspectUnions(node, value, inspection), inspectCondition(node, value, inspection));
  if (node.not !== undefined && fits(node.not, value, definitions)) {
    answers.push(
      refuse(report, "other", () => expected("something the schema does not exclude", value)),
    );
  }
  return !answers.includes(false);
}

function inspectParts(node: LinkedSchema, value: unknown, inspection: Inspection): boolean {
  if (typeof value === "string") return inspectText(node, value, inspection.report);
  if (typeof value === "number") return inspectNumber(node, value, inspection.report);
  if (Array.isArray(value)) return inspectArray(node, value, inspection);
  return isRecord(value) ? inspectObject(node, value, inspection) : true;
}

function inspectChild(
  node: LinkedNode,
  child: { key: string | number; value: unknown },
  inspection: Inspection,
): boolean {
  const { report } = inspection;
  report?.path.push(child.key);
  const answer = inspect(node, child.value, inspection);
  report?.path.pop();
  return answer;
}

function inspectArray(
  node: LinkedSchema,
  items: readonly unknown[],
  inspection: Inspection,
): boolean {
  const { report } = inspection;
  const { minItems, maxItems } = node.bounds;
  const rule = { count: items.length, least: minItems, most: maxItems, thing: "item" };
  let answer = inspectCount(report, rule);
  const length = node.items === undefined ? node.prefixItems.length : items.length;
  for (const [index, item] of items.slice(0, length).entries()) {
    const schema = node.prefixItems[index] ?? node.items ?? true;
    if (!inspectChild(schema, { key: index, value: item }, inspection)) answer = false;
  }
  const repeat = node.uniqueItems ? findRepeat(items) : undefined;
  if (repeat) {
    const [first, second] = repeat;
    answer = refuse(
      report,
      "other",
      () => `expected no equal items, but ${second} repeats ${first}`,
    );
  }
  return inspectContains(node, items, inspection) && answer;
}

function inspectContains(
  node: LinkedSchema,
  items: readonly unknown[],
  inspection: Inspection,
): boolean {
  const { contains } = node;
  if (contains === undefined) return true;
  const count = items.filter((item) => fits(contains, item, inspection.definitions)).length;
  const { minContains, maxContains } = node.bounds;
  const rule = { count, least: minContains ?? 1, most: maxContains, thing: "fitting item" };
  return inspectCount(inspection.report, rule);
}

function inspectObject(
  node: LinkedSchema,
  value: Record<string, unknown>,
  inspection: Inspection,
): boolean {
  const { report } = inspection;
  const keys = listKeys(node, value);
  const { minProperties, maxProperties } = node.bounds;
  const rule = { count: keys.length, least: minProperties, most: maxProperties, thing: "key" };
  const answers = [inspectCount(report, rule), inspectRequired(node, value, report)];
  for (const key of keys) answers.push(inspectKey(node, { key, value: value[key] }, inspection));
  for (const [key, schema] of node.dependentSchemas) {
    if (isPresent(value, key)) answers.push(inspect(schema, value, inspection));
  }
  return !answers.includes(false);
}

function listKeys(node: LinkedSchema, value: Record<string, unknown>): string[] {
  const asksAll =
    node.bounds.minProperties !== undefined ||
    node.bounds.maxProperties !== undefined ||
    node.additionalProperties !== undefined ||
    node.propertyNames !== undefined ||
    node.patternProperties.length > 0;
  if (!asksAll) return [...node.properties.keys()].filter((key) => isPresent(value, key));
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function inspectRequired(
  node: LinkedSchema,
  value: Record<string, unknown>,
  report?: Report,
): boolean {
  const missing = node.required
    .filter((key) => !isPresent(value, key))
    .map((key) => refuseKey(report, key, () => "required, missing"));
  for (const [key, names] of node.dependentRequired) {
    if (!isPresent(value, key)) continue;
    const message = () => `required next to ${wordsForNames([key])}, missing`;
    const lacking = names.filter((name) => !isPresent(value, name));
    missing.push(...lacking.map((name) => refuseKey(report, name, message)));
  }
  return missing.length === 0;
}

function inspectKey(
  node: LinkedSchema,
  child: { key: string; value: unknown },
  inspection: Inspection,
): boolean {
  const { report, definitions } = inspection;
  const { key } = child;
  let answer = true;
  if (node.propertyNames !== undefined && !fits(node.propertyNames, key, definitions)) {
    answer = refuseKey(report, key, () => "is not an allowed name");
  }
  const schemas = node.patternProperties
    .filter((pattern) => pattern.expression.test(key))
    .map((pattern) => pattern.schema);
  const property = node.properties.get(key);
  if (property !== undefined) schemas.push(property);
  if (schemas.length > 0 || node.additionalProperties === undefined) {
    for (const schema of schemas) if (!inspectChild(schema, child, inspection)) answer = false;
    return answer;
  }
  if (node.additionalProperties !== false) {
    return inspectChild(node.additionalProperties, child, inspection) && answer;
  }
  const message = () => `is not a known key; known: ${wordsForNames([...node.properties.keys()])}`;
  return refuseKey(report, key, message);
}

function refuseKey(report: Report | undefined, key: string, message: () => string): false {
  if (report) addFinding(report, { fault: "other", key, message });
  return false;
}

function inspectCondition(node: LinkedSchema, value: unknown, inspection: Inspection): boolean {
  const { condition } = node;
  if (condition === undefined) return true;
  const holds = fits(condition.test, value, inspection.definitions);
  return inspect(holds ? condition.whenTrue : condition.whenFalse, value, inspection);
}

function inspectUnions(node: LinkedSchema, value: unknown, inspection: Inspection): boolean {
  const { definitions, report } = inspection;
  const { anyOf, oneOf } = node;
  let answer = true;
  if (anyOf && !anyOf.some((variant) => fits(variant, value, definitions))) {
    answer = explainUnion(anyOf, value, inspection);
  }
  const fitting = oneOf?.filter((variant) => fits(variant, value, definitions)).length ?? 1;
  if (oneOf && fitting === 0) answer = explainUnion(oneOf, value, inspection);
  if (fitting > 1) {
    const message = () => `expected a value of one form only, but it fits ${fitting} forms`;
    answer = refuse(report, "other", message);
  }
  return answer;
}

function explainUnion(
  variants: readonly LinkedNode[],
  value: unknown,
  inspection: Inspection,
): false {
  const { definitions, report } = inspection;
  if (report === undefined) return false;
  if (isFull(report)) return refuse(report, "kind", () => "");
  const meant = variants
    .filter((variant) => takesKind(followNode(variant, definitions), value))
    .slice(0, MAX_EXPLAINED_VARIANTS)
    .map((variant) => {
      const own = createReport(report.path);
      inspect(variant, value, { definitions, report: own });
      return own;
    });
  const likely = meant.filter((own) => !hasOtherTag(own, report.path.length));
  const candidates = likely.length > 0 ? likely : meant;
  const alike = listVariantWords(variants, definitions).length === 1;
  const closest = candidates.length === 1 || alike ? findClosest(candidates) : undefined;
  if (closest === undefined) {
    return refuse(report, "kind", () => expected(wordsForVariants(variants, definitions), value));
  }
  addFindings(report, closest);
  return false;
}

function findClosest(reports: readonly Report[]): Report | undefined {
  const size = (report: Report) => report.findings.length + report.more;
  return reports.toSorted((one, two) => size(one) - size(two))[0];
}

function takesKind(node: LinkedNode, value: unknown): boolean {
  if (typeof node === "boolean") return node;
  if (node.types === undefined) return node.literals.length === 0;
  return node.types.some((type) => isOfType(value, type));
}

function hasOtherTag(report: Report, depth: number): boolean {
  return report.findings.some(
    (finding) => finding.fault === "literal" && finding.depth === depth + 1,
  );
}

function isPresent(value: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}
