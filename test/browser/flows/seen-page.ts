// What a reader knows of a page from the answers so far: the elements that were listed and are not known
// to be gone. Reads the line format that both tools have, and the marks of a change.
import type { SeenElement, Target } from "./steps.js";

/** Mark of a change, the old ref of an element that has a new one, role, quoted name, the rest. */
const LINE = /^\s*([+~-])?\s*(?:(e\d+) -> )?(?:- )?'?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$/;
const REF = /\[ref=((?:f\d+)?e\d+)\]/;

export interface SeenPage {
  /** The listing is all there is. */
  replace(text: string): void;
  /** The listing tells what came, went and changed. */
  change(text: string): void;
  find(target: Target): SeenElement | undefined;
  /** Words in what is known now, or in the last answer. */
  shows(words: string): boolean;
  readonly elements: readonly SeenElement[];
}

export function createSeenPage(): SeenPage {
  let elements: SeenElement[] = [];
  let last = "";
  return {
    get elements() {
      return elements;
    },
    replace(text) {
      last = text;
      elements = readLines(text).map(({ element }) => element);
    },
    change(text) {
      last = text;
      for (const line of readLines(text)) elements = take(elements, line);
    },
    // The newest: of what went with its surroundings a change tells only the number.
    find: (target) => elements.findLast((element) => fits(element, target)),
    shows: (words) =>
      [last, ...elements.map(({ line }) => line)].some((text) => plain(text).includes(words)),
  };
}

interface SeenLine {
  readonly mark: string | undefined;
  readonly oldRef: string | undefined;
  readonly element: SeenElement;
}

function readLines(text: string): SeenLine[] {
  return text.split("\n").flatMap((line) => {
    const [, mark, oldRef, role, name = "", rest = ""] = LINE.exec(line) ?? [];
    if (role === undefined) return [];
    const ref = REF.exec(rest)?.[1];
    const element = { role, name: plain(name), line: line.trim(), ...(ref ? { ref } : {}) };
    return [{ mark, oldRef, element }];
  });
}

function take(
  elements: readonly SeenElement[],
  { mark, oldRef, element }: SeenLine,
): SeenElement[] {
  const gone = [oldRef, element.ref];
  const rest = elements.filter(({ ref }) => ref === undefined || !gone.includes(ref));
  return mark === "-" ? rest : [...rest, element];
}

function fits(element: SeenElement, { role, name }: Target): boolean {
  if (element.ref === undefined || element.role !== role) return false;
  return typeof name === "string" ? element.name === name : name.test(element.name);
}

function plain(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll("\\\\", "\\");
}
