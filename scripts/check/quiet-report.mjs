// The JSON report of vitest, without the line in which vitest says where it has put it.
import { writeFile } from "node:fs/promises";
import { JsonReporter } from "vitest/node";

class QuietReport extends JsonReporter {
  async writeReport(report) {
    await writeFile(this.ctx.config.outputFile.json, report);
  }
}

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter by its default export only
export default QuietReport;
