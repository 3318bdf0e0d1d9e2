// Test run: every *.test.ts beside its source and under test/; the doors resolve to the sources.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { inpageForVite } from "./scripts/build/inpage-source.mjs";

const door = (file: string) => fileURLToPath(new URL(`./src/public/${file}.ts`, import.meta.url));

const isCampaign = process.env.CLAWTOOLS_CAMPAIGN === "1";
const CAMPAIGNS = isCampaign
  ? ["**/*.campaign.test.ts"]
  : [
      "test/{browser,mcp,policy}/**/*.campaign.test.ts",
      "test/security/fs-*.campaign.test.ts",
      "test/faults/process-*.campaign.test.ts",
    ];

/** Whole files that only `npm run campaign` runs; `npm test` has a shorter test of the same subject. */
const LONG = "**/*.long.test.ts";

/** They count what their process has open or what it takes, or are long: each file has one of its own. */
const ALONE = [
  ...CAMPAIGNS,
  "src/drivers/fs/{atomic-write,bridge,protection,turns}.test.ts",
  "src/drivers/fs/{descriptors,operations,temporaries}/**/*.test.ts",
  "src/drivers/media/**/*.test.ts",
  "src/drivers/store/sqlite/sqlite-store.test.ts",
  "src/drivers/process/launch/prewarmed-sandbox.test.ts",
  "test/e2e/{fresh-clone.long,web-fetch-threads}.test.ts",
  "test/house/{build,check,check-coverage,check-house,client-pages,setup}.test.ts",
  "test/browser/life/**/*.test.ts",
  "test/faults/{process-reaping,process-prewarmed,store-claim}.test.ts",
  "test/mcp/frames.test.ts",
  "test/security/{sandbox-descriptors,sandbox-git-guard,schema-bombs,schema-cost}.test.ts",
  "test/toolkit/close.test.ts",
];

/**
 * The rest of a part runs in one process after the other, which loads the sources once. The parts are
 * there so that no process gets old: it would collect for as long as some calls may take.
 */
const SHARING = {
  sources: "{src,scripts}/**/*.test.ts",
  "tests a-c": "test/{[a-c]*,[a-c]*/**/*}.test.ts",
  "tests d-r": "test/{[d-r]*,[d-r]*/**/*}.test.ts",
  "tests s-z": "test/{[s-z]*,[s-z]*/**/*}.test.ts",
};

const EXCLUDED = [...configDefaults.exclude, ...(isCampaign ? [] : [LONG])];

export default defineConfig({
  plugins: [inpageForVite],
  resolve: {
    alias: [
      { find: /^clawtools$/, replacement: door("index") },
      {
        find: /^clawtools\/(adapters|agent|gateway|tools|connectors|mcp|plugins|testing)$/,
        replacement: `${door("").replace(/\.ts$/, "")}$1.ts`,
      },
    ],
  },
  test: {
    // What is waited for comes soon on a quiet machine; these leave room for one ten times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Two for each core: most tests wait for other processes or for a clock.
    maxWorkers: 2 * availableParallelism(),
    // The built command line is loaded as it is, by Node itself.
    server: { deps: { external: [/\/dist\/cli\/main\.js$/] } },
    // No test touches the state of whoever runs it.
    env: { CLAWTOOLS_STATE_DIR: fileURLToPath(new URL("./.cache/test-state", import.meta.url)) },
    projects: [
      ...Object.entries(SHARING).map(([name, include], groupOrder) => ({
        extends: true as const,
        test: {
          name,
          include: [include],
          exclude: [...EXCLUDED, ...ALONE],
          isolate: false,
          sequence: { groupOrder },
        },
      })),
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE,
          exclude: EXCLUDED,
          sequence: { groupOrder: Object.keys(SHARING).length },
        },
      },
    ],
  },
});
