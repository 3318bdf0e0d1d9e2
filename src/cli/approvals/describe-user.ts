// Who answers here, in words for the record.

import { userInfo } from "node:os";

export function describeUser(place: "on the command line" | "at the terminal"): string {
  try {
    return `${userInfo().username} ${place}`;
  } catch {
    // Thrown for a user id without an entry in the user database.
    return `somebody ${place}`;
  }
}
