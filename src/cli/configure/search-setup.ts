// Whether web_search has somebody to ask: by the config and the environment, nobody is asked.

import type { ClawtoolsConfig } from "../../config/index.js";
import { createEnvironment } from "../../drivers/environment/index.js";
import { loadSearchSetup } from "../../tools/web_search/index.js";

export async function readSearchSetup(config: ClawtoolsConfig) {
  const { describeSearchSetup } = await loadSearchSetup();
  return describeSearchSetup({ config, environment: createEnvironment() });
}
