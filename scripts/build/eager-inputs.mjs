// Finds sources that an entry loads at import though only a call needs them: the implementations
// of the tools, the schema check, the plugin loader, any package. They must stay behind import().
const LAZY_INPUTS = [
  /^src\/tools\/[^/]+\/execute\.ts$/,
  /^src\/core\/schema\/check\//,
  /^src\/plugins\//,
  /^src\/toolkit\/add-plugins/,
  /^src\/drivers\/fs\/(?!index|node-bridge)/,
  /^src\/drivers\/(?:store|history|memory)\//,
  /(?:^|[/:])node_modules\//,
];

/** One row per entry and offending source, from esbuild's metafile. */
export function findEagerInputs(metafile, entries) {
  return entries
    .filter((entry) => metafile.outputs[entry])
    .flatMap((entry) =>
      listStaticInputs(metafile, entry)
        .filter((input) => LAZY_INPUTS.some((pattern) => pattern.test(input)))
        .map((input) => ({ output: entry, input })),
    );
}

function listStaticInputs(metafile, entry) {
  const seen = new Set([entry]);
  for (const output of seen) {
    const { imports = [] } = metafile.outputs[output] ?? {};
    for (const { kind, path, external } of imports) {
      if (kind === "import-statement" && !external) seen.add(path);
    }
  }
  return [...seen].flatMap((output) => {
    const inputs = Object.entries(metafile.outputs[output]?.inputs ?? {});
    return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input);
  });
}
