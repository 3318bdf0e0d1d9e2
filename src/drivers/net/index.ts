// The door of the network driver.

export { createNet, type NetOptions } from "./create-net.js";
export { createFilterProxy, type FilterOptions } from "./filter/create-filter-proxy.js";
