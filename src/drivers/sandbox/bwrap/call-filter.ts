// The seccomp filter of a sandbox: no setuid files, keys, foreign sockets or io_uring.

import { constants } from "node:os";

const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;

/** BPF: load a word, compare, test bits, return. */
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_ANY_BIT = 0x45;
const ANSWER = 0x06;
const ALLOW = 0x7fff_0000;
const REFUSE = 0x0005_0000;
const STEP_BYTES = 8;
/** Offsets in the data of a call. */
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const ARGUMENTS_OFFSET = 16;
const ARGUMENT_BYTES = 8;
/** The x32 calls of x64 kernels. */
const SECOND_SET_BIT = 0x4000_0000;
const SET_ID_BITS = 0o6000;
/** O_CREAT and O_TMPFILE; otherwise the mode is ignored. */
const CREATING_BITS = 0o20_000_100;
/** Unix, IPv4, IPv6 and netlink. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

interface CallNumbers {
  readonly architecture: number;
  /** Number of the call, and which argument is the mode. */
  readonly modes: readonly (readonly [number, number])[];
  /** Number of the call, and which argument has the flags; the mode follows. */
  readonly opens: readonly (readonly [number, number])[];
  readonly socket: number;
  readonly keys: readonly number[];
}

/** openat2 has its mode where no filter can look; the others are io_uring. */
const UNKNOWN_CALLS = [425, 426, 427, 437];

const CALLS: Readonly<Record<string, CallNumbers>> = {
  x64: {
    architecture: 0xc000_003e,
    // chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat.
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
      [85, 1],
      [133, 1],
      [259, 2],
    ],
    // open, openat.
    opens: [
      [2, 1],
      [257, 2],
    ],
    socket: 41,
    keys: [248, 249, 250],
  },
  arm64: {
    architecture: 0xc000_00b7,
    // fchmod, fchmodat, fchmodat2, mknodat.
    modes: [
      [52, 1],
      [53, 2],
      [452, 2],
      [33, 2],
    ],
    opens: [[56, 2]],
    socket: 198,
    keys: [217, 218, 219],
  },
};

type Step = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/** undefined for an unknown architecture. */
export function callFilter(architecture: string): Uint8Array | undefined {
  const calls = CALLS[architecture];
  return calls === undefined ? undefined : toBytes(stepsOf(calls));
}

function stepsOf(calls: CallNumbers): Step[] {
  return [
    [LOAD, ARCHITECTURE_OFFSET],
    [IF_EQUAL, calls.architecture, 1, 0],
    [ANSWER, REFUSE | ENOSYS],
    [LOAD, NUMBER_OFFSET],
    [IF_ANY_BIT, SECOND_SET_BIT, 0, 1],
    [ANSWER, REFUSE | ENOSYS],
    ...calls.modes.flatMap(([number, mode]) => onCall(number, refuseSetId(mode))),
    ...calls.opens.flatMap(([number, flags]) =>
      onCall(number, [
        [LOAD, argument(flags)],
        [IF_ANY_BIT, CREATING_BITS, 1, 0],
        [ANSWER, ALLOW],
        ...refuseSetId(flags + 1),
      ]),
    ),
    ...onCall(calls.socket, refuseFamilies()),
    ...calls.keys.flatMap((number) => onCall(number, [[ANSWER, REFUSE | EPERM]])),
    ...UNKNOWN_CALLS.flatMap((number) => onCall(number, [[ANSWER, REFUSE | ENOSYS]])),
    [ANSWER, ALLOW],
  ];
}

/** The steps always return, so the number stays loaded for the next check. */
function onCall(number: number, steps: readonly Step[]): Step[] {
  return [[IF_EQUAL, number, 0, steps.length], ...steps];
}

function refuseSetId(mode: number): Step[] {
  return [
    [LOAD, argument(mode)],
    [IF_ANY_BIT, SET_ID_BITS, 0, 1],
    [ANSWER, REFUSE | EPERM],
    [ANSWER, ALLOW],
  ];
}

function refuseFamilies(): Step[] {
  const count = SOCKET_FAMILIES.length;
  return [
    [LOAD, argument(0)],
    ...SOCKET_FAMILIES.map((family, index): Step => [IF_EQUAL, family, count - index, 0]),
    [ANSWER, REFUSE | EAFNOSUPPORT],
    [ANSWER, ALLOW],
  ];
}

/** The lower half; the kernel reads at most 32 bits of these. */
function argument(index: number): number {
  return ARGUMENTS_OFFSET + index * ARGUMENT_BYTES;
}

function toBytes(steps: readonly Step[]): Uint8Array {
  const bytes = Buffer.alloc(steps.length * STEP_BYTES);
  for (const [index, [code, value, ifTrue = 0, ifFalse = 0]] of steps.entries()) {
    const at = index * STEP_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  }
  return bytes;
}
