// A sample plugin that cannot be imported.

throw new Error("no licence file");
