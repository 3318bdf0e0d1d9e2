// Names of sessions that a model can repeat without an error: two words, more when these are taken.

import type { RandomSource } from "../../../core/index.js";

const ADJECTIVES = (
  "amber bold brave brisk bright calm clear clever cool crisp dapper deep eager early fair fast fine firm " +
  "fleet fresh gentle glad golden grand green happy keen kind late lean light lively loud lucky mellow merry " +
  "mild neat nimble noble plain prime proud quick quiet rapid ready rich royal sharp shy silent silver sleek " +
  "smart smooth snug solid spry steady still stout strong sunny swift tall tidy tiny true vivid warm wide wild wise young"
).split(" ");
const NOUNS = (
  "ant badger bass bear beaver bee bison boar cat colt coral crab crane crow deer dove duck eagle eel elk falcon " +
  "fawn finch fox frog gecko goat goose gull hare hawk heron horse ibex jay koala lark lemur lion lynx mole moose " +
  "moth mouse mule newt orca otter owl panda perch pike pony puma quail rabbit ram raven robin salmon seal shark " +
  "sheep shrew skunk sloth snail snake stork swan tiger toad trout turtle vole walrus wasp whale wolf wren yak zebra"
).split(" ");
const MAX_NUMBERED = 12;
const SUFFIX_BYTES = 4;

export function createSessionId(random: RandomSource, isTaken: (id: string) => boolean): string {
  const id = `${pick(ADJECTIVES, random)}-${pick(NOUNS, random)}`;
  if (!isTaken(id)) return id;
  for (let number = 2; number <= MAX_NUMBERED; number++) {
    if (!isTaken(`${id}-${number}`)) return `${id}-${number}`;
  }
  return `${id}-${random.hex(SUFFIX_BYTES)}`;
}

function pick(words: readonly string[], random: RandomSource): string {
  return words[Number.parseInt(random.hex(2), 16) % words.length] ?? "plain";
}
