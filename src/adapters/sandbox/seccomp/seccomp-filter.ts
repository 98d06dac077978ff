import { CLONE, CLONE3, REFUSED_CALLS, SOCKET, UNSHARE } from "./refused-calls.ts";

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const errno = (number: number): number => 0x0005_0000 | number;
const EPERM = errno(1);
const ENOSYS = errno(38);
const EAFNOSUPPORT = errno(97);

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`; of an argument, its lower half, which is all that the kernel reads of these. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

const AUDIT_X86_64 = 0xc000_003e;
const AUDIT_AARCH64 = 0xc000_00b7;
/** Calls of the x32 ABI have this bit in their number. */
const X32 = 0x4000_0000;
/** All CLONE_NEW* flags; the lowest, CLONE_NEWTIME, is part of the exit signal in clone(2). */
const NEW_NAMESPACES = 0x7e02_0000;
const NEW_TIME = 0x80;
/** AF_ALG (kernel cryptography). This family and all later ones, such as AF_VSOCK (virtual machines), are refused. */
const FIRST_ODD_FAMILY = 38;

/**
 * Returns the sandbox's seccomp program for bubblewrap's `--seccomp`. It allows calls that it does not name, and kills
 * processes of another architecture.
 */
export function seccompFilter(arch: string = process.arch): Buffer {
  const column = arch === "arm64" ? 1 : 0;
  const returnIf = (code: number, value: number, result: number): readonly Buffer[] => [
    step(code, 0, 1, value),
    step(RETURN, 0, 0, result),
  ];
  const returnFor = (number: number | null, result: number): readonly Buffer[] =>
    number === null ? [] : returnIf(EQUAL, number, result);
  const byArgument = (number: number | null, code: number, value: number, result: number) => {
    if (number === null) return [];
    const rest = [
      step(LOAD, 0, 0, FIRST_ARGUMENT),
      ...returnIf(code, value, result),
      step(RETURN, 0, 0, ALLOW),
    ];
    return [step(EQUAL, 0, rest.length, number), ...rest];
  };
  return Buffer.concat([
    step(LOAD, 0, 0, ARCHITECTURE),
    step(EQUAL, 1, 0, arch === "arm64" ? AUDIT_AARCH64 : AUDIT_X86_64),
    step(RETURN, 0, 0, KILL_PROCESS),
    step(LOAD, 0, 0, NUMBER),
    ...(arch === "arm64" ? [] : returnIf(AT_LEAST, X32, EPERM)),
    ...Object.values(REFUSED_CALLS).flatMap((numbers) => returnFor(numbers[column], EPERM)),
    // Same as on an older kernel: libraries then use clone(2), whose flags are checked.
    ...returnFor(CLONE3[column], ENOSYS),
    ...byArgument(CLONE[column], ANY_BIT, NEW_NAMESPACES, EPERM),
    ...byArgument(UNSHARE[column], ANY_BIT, NEW_NAMESPACES | NEW_TIME, EPERM),
    ...byArgument(SOCKET[column], AT_LEAST, FIRST_ODD_FAMILY, EAFNOSUPPORT),
    step(RETURN, 0, 0, ALLOW),
  ]);
}

/** Builds one `struct sock_filter`; a jump says how many steps it skips. */
function step(code: number, whenTrue: number, whenFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(whenTrue, 2);
  bytes.writeUInt8(whenFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
