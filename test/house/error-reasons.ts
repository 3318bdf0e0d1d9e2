// Reads from the sources which reasons errors can have, and under which codes where that is written
// beside them. It looks at the syntax alone: `reason: "x"`, and calls of functions with a parameter
// `reason`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const REASON = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const CODE_OF_CLASS = new Map<string, string | undefined>([
  ["ToolError", undefined],
  ["ToolInputError", "invalid_input"],
  ["ToolAuthorizationError", "denied"],
]);

export interface FoundReason {
  readonly reason: string;
  /** Absent when it is chosen elsewhere. */
  readonly code?: string | undefined;
  readonly file: string;
}

export interface FoundReasons {
  readonly reasons: readonly FoundReason[];
  /** Reasons put together at run time, the open part as dots: `…_too_deep`. */
  readonly templates: readonly string[];
}

export function readReasons(sourceFolder: string): FoundReasons {
  const files = readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => {
      const text = readFileSync(join(sourceFolder, file), "utf8");
      return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    });
  const nodes = files.flatMap((file) => [...walk(file)].map((node) => ({ node, file })));
  const takers = new Map(nodes.flatMap(({ node }) => readTaker(node)));
  const reasons: FoundReason[] = [];
  const templates = new Set<string>();
  for (const { node, file } of nodes) {
    for (const value of listReasonValues(node, takers)) {
      if (ts.isTemplateExpression(value) && isInError(value)) templates.add(showTemplate(value));
      if (!ts.isStringLiteral(value) || !REASON.test(value.text)) continue;
      reasons.push({ reason: value.text, code: codeBeside(value), file: file.fileName });
    }
  }
  return { reasons, templates: [...templates].sort() };
}

function* walk(node: ts.Node): Iterable<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* walk(child);
}

/** A named function and the place of its parameter `reason`. */
function readTaker(node: ts.Node): [string, number][] {
  if (!ts.isFunctionDeclaration(node) || !node.name) return [];
  const position = node.parameters.findIndex(({ name }) => name.getText() === "reason");
  return position === -1 ? [] : [[node.name.text, position]];
}

function listReasonValues(node: ts.Node, takers: ReadonlyMap<string, number>): ts.Expression[] {
  if (ts.isPropertyAssignment(node) && node.name.getText() === "reason") {
    return listBranches(node.initializer);
  }
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return [];
  const position = takers.get(node.expression.text);
  const given = position === undefined ? undefined : node.arguments[position];
  // Words without a line are kinds of something else.
  return given ? listBranches(given).filter((value) => value.getText().includes("_")) : [];
}

/** The values that an expression can have, as far as they are written down in it. */
function listBranches(value: ts.Expression): ts.Expression[] {
  if (ts.isConditionalExpression(value)) {
    return [...listBranches(value.whenTrue), ...listBranches(value.whenFalse)];
  }
  if (ts.isBinaryExpression(value)) {
    return [...listBranches(value.left), ...listBranches(value.right)];
  }
  return [value];
}

function findError(node: ts.Node): ts.NewExpression | undefined {
  if (ts.isNewExpression(node) && CODE_OF_CLASS.has(node.expression.getText())) return node;
  const isBorder = !node.parent || ts.isFunctionLike(node);
  return isBorder ? undefined : findError(node.parent);
}

function showTemplate({ head, templateSpans }: ts.TemplateExpression): string {
  return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join("…");
}

function isInError(node: ts.Node): boolean {
  return findError(node) !== undefined;
}

function codeBeside(node: ts.Node): string | undefined {
  const error = findError(node);
  if (!error) return undefined;
  const first = error.arguments?.[0];
  const written = first && ts.isStringLiteral(first) ? first.text : undefined;
  return CODE_OF_CLASS.get(error.expression.getText()) ?? written;
}
