// The form in which texts are compared when they do not fit exactly: compatibility composition
// (NFKC), plain quotation marks, hyphens and spaces. Case and the number of spaces still count.

import { toPlainMarks } from "../../../lib/unicode-text.js";

/**
 * What may join with the character in front of it: marks, vowels and final consonants of Hangul in
 * all their forms, the half-width voicing marks, and the Kirat Rai vowel signs that join.
 */
const JOINS = /[\p{M}\u1161-\u11FF\u3131-\u3163\uFF9E-\uFFDC\u{16D67}\u{16D68}]/u;
const CODE_POINTS = 0x110000;
const MAX_REMEMBERED_CLUSTERS = 10_000;

export const KINDS = { plain: 1, changes: 2, joins: 3 } as const;

/** Forms of characters, each found out once. No form means: it stays as it is. */
export interface FormMemory {
  kindOf(point: number): number;
  formOf(point: number): Buffer | undefined;
  /** `cluster` is a character with all that joins with it. */
  formOfCluster(cluster: string): Buffer | undefined;
}

export function createFormMemory(): FormMemory {
  const kinds = new Uint8Array(CODE_POINTS);
  const forms = new Map<number, Buffer | undefined>();
  const clusters = new Map<string, Buffer | undefined>();
  return {
    kindOf(point) {
      const known = kinds[point];
      if (known) return known;
      const kind = readKind(String.fromCodePoint(point));
      kinds[point] = kind;
      return kind;
    },
    formOf(point) {
      const known = forms.get(point);
      if (known || forms.has(point)) return known;
      const form = readForm(String.fromCodePoint(point));
      forms.set(point, form);
      return form;
    },
    formOfCluster(cluster) {
      const known = clusters.get(cluster);
      if (known || clusters.has(cluster)) return known;
      const form = readForm(cluster);
      if (clusters.size < MAX_REMEMBERED_CLUSTERS) clusters.set(cluster, form);
      return form;
    },
  };
}

function readKind(character: string): number {
  if (JOINS.test(character)) return KINDS.joins;
  return readForm(character) ? KINDS.changes : KINDS.plain;
}

/** White space has a form even if it stays the same: at the end of a line it is left out. */
function readForm(cluster: string): Buffer | undefined {
  const form = toPlainMarks(cluster.normalize("NFKC"));
  return form === cluster && form.trim() !== "" ? undefined : Buffer.from(form);
}
