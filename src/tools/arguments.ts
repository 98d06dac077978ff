import { z } from "zod";

/** Text that says something, of at most `max` characters. */
export function text(max: number, description: string): z.ZodString {
  return z.string().trim().min(1).max(max).describe(description);
}

/** The number of an issue or pull request. */
export function number(description: string): z.ZodInt {
  return z.int().min(1).max(2_147_483_647).describe(description);
}
