import { z } from "zod";
import { count, text, time } from "./fields.ts";

const paused = z.enum(["all", "some", "none", "unknown"]).describe("How much is paused.");

export const healthAnswer = z.strictObject({ status: z.literal("ok"), paused });
export const readyAnswer = z.strictObject({
  status: z.literal("ready"),
  paused,
  github: z.strictObject({
    held: z.enum(["nothing", "content", "everything"]).describe("What GitHub's limits hold back."),
    minutes_left: count(),
  }),
});
export const notReadyAnswer = z.strictObject({ status: z.literal("not_ready"), why: text() });
export const meAnswer = z.strictObject({
  viewer: z.union([
    z.strictObject({ kind: z.literal("operator") }),
    z.strictObject({ kind: z.literal("person"), login: text(), id: count() }),
  ]),
  page: text().describe("What a page of ours sends as x-flotilla-page with its cookie."),
  site: text(),
});
export const signedInAnswer = z.strictObject({ signed_in: z.literal(true) });
export const signedOutAnswer = z.strictObject({ signed_out: z.literal(true) });
export const tokenAnswer = z.strictObject({ token: text(), until: time() });
export const tokensEndedAnswer = z.strictObject({ ended: z.literal(true) });
