// A tool of your own: defined, registered, resolved, explained, called. Run: node examples/add-a-tool.mjs
import { createClawtools, defineTool, t, textResult } from "clawtools";

const countWords = defineTool({
  name: "count_words",
  description: "Count the words of a text.",
  parameters: t.object({
    text: t.string({ description: "The text to count." }),
    unique: t.optional(t.boolean({ description: "Count each word once." })),
  }),
  async execute({ params }) {
    const words = params.text.split(/\s+/).filter((word) => word !== "");
    const count = params.unique ? new Set(words).size : words.length;
    return textResult(`${count} words`, { count });
  },
});

const { tools } = createClawtools();
tools.register(countWords);

const tool = tools.resolve("count_words");
const result = await tool?.execute("call_1", { text: "to be or not to be", unique: true });
console.log(result?.content);

const slip = await tool?.execute("call_2", { txt: "to be" });
console.log(slip?.content);

console.log(tools.explain().filter(({ id }) => id === "count_words" || id === "read"));
