// Turns the results of campaigns into the page docs/campaigns.md, and reads its rows back, so that a
// run of some campaigns renews its own rows and leaves the others as they were.

const CELL_BORDER = /(?<!\\)\|/;

/** One row per test; the size and the detail are what the test reported under its own title. */
export function joinCampaignRows({ tests, reports, date }) {
  const rows = tests.map(({ title, fullName, duration, status }) => {
    const own = reports.filter((report) => report.title === title || report.title === fullName);
    return {
      // Whole, because two files may have tests of one title.
      title: fullName,
      size: own.map(({ size }) => size.toLocaleString("en-US")).join(", "),
      duration: `${((duration ?? 0) / 1_000).toFixed(1)} s`,
      result: status,
      date,
      detail: own
        .map(({ detail }) => detail ?? "")
        .join(" ")
        .trim(),
    };
  });
  const titles = new Set(tests.flatMap(({ title, fullName }) => [title, fullName]));
  const orphan = reports.find(({ title }) => !titles.has(title));
  if (orphan) throw new Error(`A campaign reported "${orphan.title}", but no test has that title.`);
  return rows;
}

/** The rows of the page in their order, each renewed where `rows` has its title; new ones after. */
export function renewCampaignRows({ page, rows }) {
  const kept = readCampaignRows(page);
  const renewed = new Map(rows.map((row) => [row.title, row]));
  const known = new Set(kept.map(({ title }) => title));
  return [
    ...kept.map((row) => renewed.get(row.title) ?? row),
    ...rows.filter(({ title }) => !known.has(title)),
  ];
}

function readCampaignRows(page) {
  const lines = page.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => {
    const cells = line.slice(2, -2).split(CELL_BORDER);
    const [title, size, duration, result, date, detail] = cells.map((cell) =>
      cell.trim().replaceAll("\\|", "|"),
    );
    return { title, size, duration, result, date, detail };
  });
}

/** Tests that report no size are listed only when they did not pass. */
export function formatCampaignPage({ nodeVersion, system, cores, rows }) {
  const lines = rows
    .filter(({ size, result }) => size !== "" || result !== "passed")
    .map(({ title, size, duration, result, date, detail }) =>
      tableRow([title, size, duration, result, date, detail]),
    );
  return [
    "# Campaigns",
    "",
    "`npm run campaign` runs the race, kill and fuzz tests at full size (`npm test` runs a small slice)",
    "and writes this page. Each row is the last run of a test.",
    "",
    `Node ${nodeVersion}, ${system}, ${cores} cores.`,
    "",
    tableRow(["test", "size", "duration", "result", "date", "detail"]),
    tableRow(["---", "---:", "---:", "---", "---", "---"]),
    ...lines,
    "",
  ].join("\n");
}

function tableRow(cells) {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
