// Programs that show files. Options that write, start programs or follow links are not listed.

import type { ProfileRow } from "./profile.js";

export const READERS: readonly ProfileRow[] = [
  {
    names: "ls dir vdir",
    short: "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1I:T:w:",
    long: "all almost-all author escape directory dired full-time group-directories-first no-group human-readable si inode kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name reverse recursive size context zero block-size= format= sort= time= time-style= tabsize= width= ignore= hide= quoting-style= indicator-style= color=? classify=? hyperlink=?",
  },
  {
    names: "cat",
    short: "AbeEnstTuv",
    long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
  },
  {
    names: "head tail",
    short: "qvzn:c:",
    long: "quiet silent verbose zero-terminated lines= bytes=",
    hasCounts: true,
  },
  { names: "wc", short: "clmLw", long: "bytes chars lines max-line-length words" },
  {
    names: "nl",
    short: "pb:d:f:h:i:l:n:s:v:w:",
    long: "body-numbering= number-format= number-separator= number-width= starting-line-number=",
  },
  { names: "tac", short: "brs:", long: "before regex separator=" },
  { names: "rev" },
  { names: "fold", short: "bsw:", long: "bytes spaces width=" },
  { names: "fmt", short: "cstuw:p:g:", long: "width= goal= prefix=" },
  { names: "expand unexpand", short: "ait:", long: "all initial tabs=" },
  { names: "column", short: "txes:c:o:", long: "table separator= output-separator=" },
  { names: "base64 base32", short: "diw:", long: "decode ignore-garbage wrap=", maxOperands: 1 },
  {
    names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum",
    short: "btz",
    long: "binary text tag zero",
  },
  { names: "cmp", short: "blsn:", long: "print-bytes verbose quiet silent bytes=", maxOperands: 2 },
  {
    names: "diff",
    // In folders it would follow links to wherever they lead.
    adds: "--no-dereference",
    short: "abBcdeEinNpqrstTuwyZU:C:W:I:x:",
    long: "recursive brief report-identical-files side-by-side ignore-case ignore-all-space ignore-blank-lines ignore-space-change text suppress-common-lines minimal new-file no-dereference width= label= exclude= unified=? context=? color=?",
    maxOperands: 2,
  },
  { names: "od", short: "abcdfhilosxvA:j:N:S:t:w::" },
  { names: "hexdump hd", short: "bcCdovxn:s:e:" },
  { names: "strings", short: "afwn:e:t:", long: "bytes= radix=", hasResponseFiles: true },
  {
    names: "file",
    short: "biLhkN0",
    long: "brief mime mime-type mime-encoding",
    // It reads a per-user list of file types.
    settings: "home",
  },
  { names: "stat", short: "Lftc:", long: "dereference file-system terse format= printf=" },
  {
    names: "du",
    short: "0abchkmsSxd:B:t:",
    long: "all apparent-size bytes total human-readable si summarize one-file-system null separate-dirs max-depth= exclude= block-size= threshold= time=?",
  },
  {
    names: "tree",
    short: "adfipsughDFCnxrtv",
    long: "noreport dirsfirst gitignore prune du",
    separate: "LPI",
  },
  {
    names: "realpath",
    short: "emszLP",
    long: "canonicalize-existing canonicalize-missing no-symlinks strip quiet zero",
  },
  { names: "readlink", short: "efmnqsvz", long: "canonicalize no-newline" },
  {
    names: "grep egrep fgrep",
    // The two short names are scripts that start the long one.
    helpers: "grep",
    short: "abcEFGhHiIlLnoPqrsTuUvwxyzZe:A:B:C:m:",
    long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count files-with-matches files-without-match only-matching quiet silent no-messages byte-offset with-filename no-filename initial-tab null text line-number recursive line-buffered null-data binary regexp= include= exclude= exclude-dir= max-count= after-context= before-context= context= label= binary-files= group-separator= color=? colour=?",
    hasCounts: true,
    operands: "pattern",
    patternOptions: "e regexp",
  },
  {
    names: "rg",
    short: "acFHiIlnNopqsSUvVwxe:A:B:C:g:m:t:T:j:M:d:r:",
    long: "text count count-matches fixed-strings with-filename no-filename ignore-case files-with-matches files-without-match line-number no-line-number only-matching quiet case-sensitive smart-case multiline invert-match word-regexp line-regexp hidden no-ignore no-ignore-vcs json heading no-heading pretty trim vimgrep stats files column null version regexp= after-context= before-context= context= glob= iglob= max-count= type= type-not= max-depth= max-columns= max-filesize= replace= color= colors= sort= sortr=",
    operands: "pattern",
    patternOptions: "e regexp files",
  },
];
