// Test run: every *.test.ts beside its source and under test/; the doors resolve to the sources.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { inpageForVite } from "./scripts/build/inpage-source.mjs";

const door = (file: string) => fileURLToPath(new URL(`./src/public/${file}.ts`, import.meta.url));

const isCampaign = process.env.CLAWTOOLS_CAMPAIGN === "1";
const CAMPAIGNS = isCampaign
  ? ["**/*.campaign.test.ts"]
  : [
      "test/{browser/life,browser/net,mcp,policy}/**/*.campaign.test.ts",
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
  "test/house/{bench,build,check,check-coverage,check-house,client-pages,setup}.test.ts",
  "test/browser/life/**/*.test.ts",
  "test/faults/{process-reaping,process-prewarmed.long,store-claim}.test.ts",
  "test/mcp/frames.test.ts",
  "test/security/{sandbox-git-guard,schema-bombs,schema-cost}.test.ts",
  "test/toolkit/close.test.ts",
];

/**
 * The rest of a part runs in one process after the other, which loads the sources once. The parts are
 * there so that no process gets old: it would collect for as long as some calls may take.
 */
const SHARING = {
  "sources, tests a": "{src/**/*,scripts/**/*,test/a*/**/*}.test.ts",
  "tests b-f": "test/[b-f]*/**/*.test.ts",
  "tests g-z": "test/[g-z]*/**/*.test.ts",
};

const PROJECTS = ["alone", ...Object.keys(SHARING)];

/** `npm run check` runs them in its coverage step. */
const COVERED = process.env.CLAWTOOLS_CHECK === "1" ? ["test/policy/*.campaign.test.ts"] : [];

const EXCLUDED = [...configDefaults.exclude, ...(isCampaign ? [] : [LONG]), ...COVERED];

/** What takes long begins first, or the others are done and one process is still at it. */
const TAKES_LONG = /\/test\/(?:browser|house|faults)\/|\.campaign\.test\.ts$/;

/** One project after the other, so that a process can go on with the next file of its project. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) =>
      PROJECTS.indexOf(project.name) * 2 + (TAKES_LONG.test(moduleId) ? 0 : 1);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

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
    // Projects share what was compiled, and the next run finds it.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: fileURLToPath(new URL("./.cache/test-modules", import.meta.url)),
    },
    // What is waited for comes soon on a quiet machine; these leave room for one ten times slower.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A test that asserts nothing, for want of rows or because a callback never ran, fails.
    expect: { poll: { timeout: 120_000 }, requireAssertions: true },
    // Four for each core: most tests wait for other processes or for a clock.
    maxWorkers: 4 * availableParallelism(),
    // The built command line is loaded as it is, by Node itself.
    server: { deps: { external: [/\/dist\/cli\/main\.js$/] } },
    // No test touches the state of whoever runs it.
    env: { CLAWTOOLS_STATE_DIR: fileURLToPath(new URL("./.cache/test-state", import.meta.url)) },
    sequence: { sequencer: LongFirst },
    projects: [
      ...Object.entries(SHARING).map(([name, include]) => ({
        extends: true as const,
        test: {
          name,
          include: [include],
          exclude: [...EXCLUDED, ...ALONE],
          isolate: false,
        },
      })),
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE,
          exclude: EXCLUDED,
        },
      },
    ],
  },
});
