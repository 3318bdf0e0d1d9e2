// Turns the results of a campaign into the page docs/campaigns.md.

/** One row per test; the size and the detail are what the test reported under its own title. */
export function joinCampaignRows({ tests, reports }) {
  const rows = tests.map(({ title, fullName, duration, status }) => {
    const own = reports.filter((report) => report.title === title || report.title === fullName);
    return {
      title,
      size: own.map(({ size }) => size.toLocaleString("en-US")).join(", ") || "not told",
      durationMs: duration ?? 0,
      result: status,
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

export function formatCampaignPage({ date, nodeVersion, system, cores, rows }) {
  const lines = rows.map(({ title, size, durationMs, result, detail }) =>
    tableRow([title, size, `${(durationMs / 1_000).toFixed(1)} s`, result, detail]),
  );
  return [
    "# Campaigns",
    "",
    "Long runs of the tests that `npm test` runs in small. Written by `npm run campaign`.",
    "",
    `${date}, Node ${nodeVersion}, ${system}, ${cores} cores.`,
    "",
    tableRow(["test", "size", "duration", "result", "detail"]),
    tableRow(["---", "---:", "---:", "---", "---"]),
    ...lines,
    "",
  ].join("\n");
}

function tableRow(cells) {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
