// Typographic quotes, dashes and spaces as their ASCII characters.

const MARKS: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201B]/g, "'"],
  [/[\u201C-\u201F]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " "],
];

export function toPlainMarks(text: string): string {
  return MARKS.reduce((plain, [pattern, mark]) => plain.replace(pattern, mark), text);
}
