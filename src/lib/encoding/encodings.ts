// The encodings that text is read from. Which one some bytes have is judged elsewhere.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | DoubleByteEncoding;

export type DoubleByteEncoding = "gb18030" | "big5" | "shift_jis" | "euc-jp" | "euc-kr";
