// A sample plugin that exports something else.

export const version = 1;
