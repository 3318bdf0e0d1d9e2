// Which optional tools a configuration asks for: those that an allow list in force names, by their
// own name, their plugin, or `group:plugins`. A pattern names no one.

import { findAgent } from "../../config/index.js";
import { foldName, type PolicyRequest, readModelNames } from "../../core/index.js";
import { readSection, readTexts, type Section } from "./config-section.js";

const ALL_PLUGINS = "group:plugins";

export type IsAskedFor = (names: readonly string[]) => boolean;

/** The lists of `tools`, of the agent, and of the provider in each of them. */
export function readAskedFor(config: Section, request: PolicyRequest): IsAskedFor {
  const own = readSection(findAgent(config, request.agentId) ?? {}, "tools");
  const asked = new Set(
    [readSection(config, "tools"), own]
      .flatMap((scope) => [scope, findProvider(scope, request)])
      .flatMap(({ allow, alsoAllow }) => [...readTexts(allow), ...readTexts(alsoAllow)])
      .map(foldName),
  );
  return (names) => asked.has(ALL_PLUGINS) || names.some((name) => asked.has(foldName(name)));
}

/** Of `byProvider` the most exact entry: the one for the model before the one for its provider. */
function findProvider(scope: Section, request: PolicyRequest): Section {
  const byProvider = readSection(scope, "byProvider");
  const keys = readModelNames(request)?.keys ?? [];
  const written = keys.flatMap((key) =>
    Object.keys(byProvider).filter((name) => foldName(name) === key),
  );
  return written[0] === undefined ? {} : readSection(byProvider, written[0]);
}
