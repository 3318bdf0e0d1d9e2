// The drivers of the store against the one suite that all of them must pass.

import { createMemoryStore } from "../fakes/memory-store.js";
import { sqliteDriver } from "./store/sqlite-driver.js";
import { describeStore } from "./store-conformance.js";

describeStore({
  name: "memory",
  createPlace: () => ({
    path: "",
    open: (clock) => createMemoryStore({ clock }),
    remove: () => undefined,
  }),
});

describeStore(sqliteDriver);
