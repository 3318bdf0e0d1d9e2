// 2d: checking the arguments of one call, beside a validator compiled by ajv.

import Ajv from "ajv/dist/2020.js";
import { createClawtools } from "../dist/index.js";
import { importSource } from "./measure/bundle-source.mjs";
import { timeSideBySide, toRow } from "./measure/side-by-side.mjs";

const MAX_RATIO = 1.5;

const CALLS = {
  exec: { command: "npm test", workdir: "src", timeout: 60, background: false, env: { CI: "1" } },
  web_fetch: { url: "https://example.com/a", extractMode: "markdown", maxChars: 5000 },
  sessions_send: { sessionKey: "main", message: "hello", timeoutSeconds: 30 },
};

export const ids = ["2d"];

export async function rows() {
  const { compileValidator } = await importSource("src/core/schema/validator.ts");
  const { tools } = createClawtools({ catalog: "all" });
  const made = [];
  for (const [name, params] of Object.entries(CALLS)) {
    const { parameters } = tools.resolve(name, { workspaceDir: ".", sessionKey: "main" });
    const peer = new Ajv.default({ strict: false }).compile(structuredClone(parameters));
    const validator = await compileValidator(parameters);
    if (!peer(params) || !validator.check(params).ok) throw new Error(`${name}: sample is invalid`);
    const works = [() => peer(params), () => validator.check(params)];
    const [raw, ours] = timeSideBySide(works, { callsPerRound: 100_000 });
    made.push(
      toRow({ id: "2d", work: `check ${name} (raw = ajv)`, raw, ours, maxRatio: MAX_RATIO }),
    );
  }
  return made;
}
