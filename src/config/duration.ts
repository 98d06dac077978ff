import { z } from "zod";
import { parseDuration } from "../domain/settings/duration.ts";

/** Schema of a duration: text in, milliseconds out. */
export function duration() {
  return z
    .string({ error: "write a duration with its unit, such as 90s, 15m, 2h or 7d" })
    .transform((text, context) => {
      const ms = parseDuration(text);
      if (ms !== undefined) return ms;
      context.issues.push({
        code: "custom",
        input: text,
        message: "write one number with its unit (90s, 15m, 2h, 7d), more than zero and at most 365d",
      });
      return z.NEVER;
    })
    .meta({ format: "duration" });
}
