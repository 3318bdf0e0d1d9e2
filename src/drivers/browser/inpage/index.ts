// The door of the code that runs inside pages, in a world of its own that the page cannot see.

export { createEngine } from "./engine.js";
