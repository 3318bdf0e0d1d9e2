// The door of the clock driver.

export { createQuietClock, createSystemClock, createSystemRandom } from "./system-clock.js";
