// The door of the network driver.

export { createNet, type NetOptions } from "./create-net.js";
