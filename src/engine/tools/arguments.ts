import { z } from "zod";

/** Returns the schema of a non-blank text of at most `max` characters. */
export function text(max: number, description: string): z.ZodString {
  return z.string().trim().min(1).max(max).describe(description);
}

/** Returns the schema of an issue or pull request number. */
export function number(description: string): z.ZodInt {
  return z.int().min(1).max(2_147_483_647).describe(description);
}

const ELSEWHERE = /^([A-Za-z0-9-]+\/[A-Za-z0-9._-]+)#([1-9]\d{0,8})$/;

/** Returns the schema of an issue: its number, or `owner/name#number` for one of another repository. */
export function issue(description: string) {
  return z
    .union([number("Number, without #"), z.string().regex(ELSEWHERE).describe("owner/name#number")])
    .describe(description)
    .transform((given): { readonly blocker: number; readonly repository?: string } => {
      if (typeof given === "number") return { blocker: given };
      const [repository, blocker] = given.split("#");
      return { blocker: Number(blocker), ...(repository === undefined ? {} : { repository }) };
    });
}
