import { readFileSync } from "node:fs";
import { z } from "zod";

const profile = z.object({
  defaultErrnoRet: z.int(),
  syscalls: z.array(
    z.object({
      names: z.array(z.string()),
      action: z.enum(["SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"]),
      errnoRet: z.int().optional(),
      args: z
        .array(
          z.object({
            index: z.int(),
            value: z.int(),
            op: z.enum(["SCMP_CMP_EQ", "SCMP_CMP_LT", "SCMP_CMP_MASKED_EQ"]),
          }),
        )
        .max(1)
        .optional(),
    }),
  ),
});
export type Profile = z.infer<typeof profile>;

const NUMBERS = z
  .record(z.string(), z.int())
  .parse(JSON.parse(readFileSync("test/fixtures/seccomp/x64.json", "utf8")));

const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;
const KILL = 0x8000_0000;
const X86_64 = 0xc000_003e;
const X32 = 0x4000_0000;
const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const AND = 0x54;
const RETURN = 0x06;

/** Our profile, as container engines read it. */
export function shippedProfile(): Profile {
  return profile.parse(JSON.parse(readFileSync("config/deploy/seccomp.json", "utf8")));
}

/**
 * The program that the kernel runs for a profile on x86-64, as bubblewrap takes it by --seccomp. Rules count in their order.
 * Arguments are compared by their lower half, which is all that the kernel reads of those that occur here.
 */
export function seccompFilter({ defaultErrnoRet, syscalls }: Profile): Buffer {
  const number = (offset: number) => step(LOAD, 0, 0, offset);
  const rules = syscalls.flatMap(({ names, action, errnoRet, args }) => {
    const end = step(RETURN, 0, 0, action === "SCMP_ACT_ALLOW" ? ALLOW : ERRNO | (errnoRet ?? 1));
    return names.flatMap((name) => {
      const nr = NUMBERS[name];
      if (nr === undefined) return [];
      const [arg] = args ?? [];
      if (arg === undefined) return [step(EQUAL, 0, 1, nr), end];
      const asked = [number(16 + 8 * arg.index), ...compared(arg), end, number(0)];
      return [step(EQUAL, 0, asked.length - 1, nr), ...asked.slice(0, -1), number(0)];
    });
  });
  return Buffer.concat([
    number(4),
    step(EQUAL, 1, 0, X86_64),
    step(RETURN, 0, 0, KILL),
    number(0),
    step(AT_LEAST, 0, 1, X32),
    step(RETURN, 0, 0, ERRNO | defaultErrnoRet),
    ...rules,
    step(RETURN, 0, 0, ERRNO | defaultErrnoRet),
  ]);
}

/** Jumps over the one step that follows where the comparison does not hold. */
function compared({ op, value }: { readonly op: string; readonly value: number }): readonly Buffer[] {
  if (op === "SCMP_CMP_LT") return [step(AT_LEAST, 1, 0, value)];
  // As engines write it, with one value: none of these bits.
  if (op === "SCMP_CMP_MASKED_EQ") return [step(AND, 0, 0, value), step(EQUAL, 0, 1, 0)];
  return [step(EQUAL, 0, 1, value)];
}

/** One `struct sock_filter`. */
function step(code: number, whenTrue: number, whenFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(whenTrue, 2);
  bytes.writeUInt8(whenFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
