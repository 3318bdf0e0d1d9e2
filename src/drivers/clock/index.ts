// The door of the clock driver.

export { createSystemClock, createSystemRandom } from "./system-clock.js";
