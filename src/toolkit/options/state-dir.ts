// Where a toolkit keeps what is to outlive it. Only the path is read here: anyone who writes there
// makes the folder at its first write.

import { isAbsolute } from "node:path";
import { stateDir } from "../../config/index.js";
import { isToolError } from "../../core/index.js";
import { currentDirectory, homeDirectory, readEnvironment } from "../../drivers/environment.js";

const STATE_VARIABLE = "CLAWTOOLS_STATE_DIR";

/** The one that is used where nothing names another; `undefined` without a home folder. */
export function readUsualStateDir(): string | undefined {
  const homeDir = homeDirectory();
  return homeDir === undefined ? undefined : stateDir({ env: {}, homeDir, cwd: "" });
}

/** Absolute. `undefined` when none is wanted, or none is given and this user has no home folder. */
export function readStateDir(given: string | false | undefined): string | undefined {
  if (given === false) return undefined;
  const written = given ?? readEnvironment()[STATE_VARIABLE];
  try {
    return stateDir({
      env: { [STATE_VARIABLE]: written },
      homeDir: homeDirectory(),
      // Asked for only when it counts: a process may have lost its working folder.
      cwd: written === undefined || isAbsolute(written) ? "" : currentDirectory(),
    });
  } catch (error) {
    if (given === undefined && isToolError(error) && error.reason === "no_home_folder") {
      return undefined;
    }
    throw error;
  }
}
