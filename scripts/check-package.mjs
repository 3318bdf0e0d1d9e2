// Checks the package as it would be published: doors that lead to files, types beside each door.
// Warnings count as errors. It needs a built dist.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const { messages } = await publint({ pkgDir: root, strict: true, level: "warning" });
for (const message of messages) {
  console.log(`${message.type}: ${formatMessage(message, manifest, { color: false })}`);
}
process.exitCode = messages.length > 0 ? 1 : 0;
