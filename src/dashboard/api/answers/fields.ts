import { z } from "zod";

/** Schemas of what the API answers. They describe it for programs; `json.ts` and its neighbours make it. */

export const time = () => z.iso.datetime().describe("A time in UTC.");
export const timeOrNull = () => z.iso.datetime().nullable();
export const count = () => z.int().min(0);
export const usd = () => z.number().min(0).describe("US dollars.");
export const text = () => z.string();
export const agentKey = () => z.string().describe("An agent's key, such as acme/shop:feat-dev-issue-42.");
export const repository = () =>
  z.string().describe("A repository, owner/name; its number where the name is not known.");
export const issue = () => z.int().min(0).describe("An issue's number.");

/** A page of a list: its rows under their own name, and the cursor of the next page. */
export function page<Shape extends Readonly<Record<string, z.ZodType>>>(rows: Shape) {
  return z.strictObject({
    ...rows,
    next: z
      .string()
      .nullable()
      .describe("Send it as ?after= to get the next page of this list; null on the last page."),
  });
}

/** Pages whose cursor is the id of their last row, so that programs can follow new rows. */
export function pageById<Shape extends Readonly<Record<string, z.ZodType>>>(rows: Shape) {
  return z.strictObject({
    ...rows,
    next: z
      .int()
      .nullable()
      .describe("The id of the last row, to send as ?after=; null where no more rows follow at present."),
  });
}

export const pause = z.strictObject({
  scope: text().describe("`all` or `repository:<number>`."),
  holder: text(),
  by: text(),
  reason: text().nullable(),
  since: time(),
  change: text().describe("What ends it."),
});

export const hold = z.strictObject({
  by: text(),
  what: text().describe("What holds it."),
  ends: text().describe("What ends that."),
});
