// Runs the benchmarks, each file in a process of its own, and prints one table with the target
// beside each figure. Figures never fail a run; only a benchmark that breaks does.
import { fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HELP = `Usage: node bench/run.mjs [id ...] [--json] [--tiny]
  id      run only the rows whose id begins so, such as 1a or 2
  --json  print the rows as JSON
  --tiny  one round of each, to see that they work; the figures mean nothing`;

const COLUMNS = [
  { key: "id", title: "#", maxChars: 5 },
  { key: "work", title: "work", maxChars: 28 },
  { key: "raw", title: "raw", maxChars: 16 },
  { key: "ours", title: "ours", maxChars: 16 },
  { key: "ratio", title: "ratio", maxChars: 8 },
  { key: "target", title: "target", maxChars: 12 },
  { key: "met", title: "met", maxChars: 3 },
];
const GAP = "  ";
const CHILD_FLAG = "--in-child";

const folder = fileURLToPath(new URL(".", import.meta.url));

async function main(words) {
  if (words.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  if (words.includes("--tiny")) process.env.BENCH_TINY = "1";
  const prefixes = words.filter((word) => !word.startsWith("--"));
  const files = readdirSync(folder).filter((name) => name.endsWith(".bench.mjs"));
  const rows = [];
  const broken = [];
  for (const [index, name] of files.sort().entries()) {
    process.stderr.write(`bench ${index + 1} of ${files.length}: ${name}\n`);
    const answer = await runInChild(join(folder, name), prefixes);
    if (answer.error) broken.push(`${name}: ${answer.error}`);
    const wanted = (answer.rows ?? []).filter(({ id }) => isWanted(id, prefixes));
    rows.push(...wanted.map((row) => ({ ...row, file: name })));
  }
  rows.sort((left, right) => left.id.localeCompare(right.id, "en", { numeric: true }));
  console.log(words.includes("--json") ? JSON.stringify(rows, null, 2) : formatTable(rows));
  for (const line of broken) console.error(line);
  return broken.length > 0 ? 1 : 0;
}

function runInChild(file, prefixes) {
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(import.meta.url), [CHILD_FLAG, file, ...prefixes]);
    let answer = { error: undefined, rows: undefined };
    child.on("message", (message) => {
      answer = message;
    });
    child.once("error", (error) => resolve({ error: error.message }));
    child.once("close", (code, signal) => {
      const isWhole = code === 0 && answer.rows !== undefined;
      resolve(isWhole ? answer : { error: answer.error ?? `ended with ${code ?? signal}` });
    });
  });
}

/** A file may export `ids` to be left alone when none of its rows is asked for. */
async function answerAsChild([file, ...prefixes]) {
  const { ids, rows } = await import(pathToFileURL(file).href);
  const isAsked = ids === undefined || ids.some((id) => isWanted(id, prefixes));
  const made = isAsked ? await rows({ isWanted: (id) => isWanted(id, prefixes) }) : [];
  await new Promise((resolve) => process.send({ rows: made }, resolve));
  process.disconnect();
}

function isWanted(id, prefixes) {
  return prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix));
}

/** A row without a target is for information. */
function showMet({ met }) {
  if (met === undefined) return "-";
  return met ? "yes" : "NO";
}

function formatTable(rows) {
  if (rows.length === 0) return "No benchmark has such an id.";
  const table = rows.map((row) => ({ ...row, met: showMet(row) }));
  const widths = COLUMNS.map(({ key, title, maxChars }) => {
    const longest = Math.max(title.length, ...table.map((row) => String(row[key]).length));
    return Math.min(longest, maxChars);
  });
  const heading = formatRow({ cells: COLUMNS.map(({ title }) => title), widths });
  const rule = widths.map((width) => "-".repeat(width)).join(GAP);
  const body = table.map((row) =>
    formatRow({ cells: COLUMNS.map(({ key }) => String(row[key])), widths }),
  );
  return [heading, rule, ...body].join("\n");
}

function formatRow({ cells, widths }) {
  const wrapped = cells.map((cell, index) => wrap(cell, widths[index]));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, index) => (lines[line] ?? "").padEnd(widths[index]))
      .join(GAP)
      .trimEnd(),
  ).join("\n");
}

function wrap(text, width) {
  const lines = [""];
  for (const word of text.split(" ").flatMap((part) => cutWord(part, width))) {
    const last = lines[lines.length - 1];
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function cutWord(word, width) {
  return word.match(new RegExp(`.{1,${width}}`, "g")) ?? [""];
}

const [first, ...rest] = process.argv.slice(2);
if (first === CHILD_FLAG) await answerAsChild(rest);
else process.exitCode = await main(process.argv.slice(2));
