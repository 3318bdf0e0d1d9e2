// Who would be asked, reported without asking anybody: for those who show people what is set up.

import { isToolError } from "../../core/index.js";
import { chooseProviders, SETUP_COMMAND } from "./choose-providers.js";
import { readSettings, type SettingsSource } from "./settings.js";

export interface SearchSetup {
  readonly isReady: boolean;
  /** A few words. */
  readonly summary: string;
  /** A sentence or more. */
  readonly text: string;
}

/** Providers of plugins are not known here: one that is named is taken to be there. */
export function describeSearchSetup(source: SettingsSource): SearchSetup {
  try {
    const names = chooseProviders(readSettings(source), []).map(({ provider }) => provider.label);
    const summary = `asks ${names.join(", then ")}`;
    return { isReady: true, summary, text: `It ${summary}.` };
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { message, reason } = error;
    const isReady = reason === "search_provider_unknown";
    return { isReady, summary: `no one to ask yet: run ${SETUP_COMMAND}`, text: message };
  }
}
