// The code of inpage/ as one script; the build makes the module (scripts/build/inpage-source.mjs).
declare module "inpage:source" {
  export const INPAGE_SOURCE: string;
}
