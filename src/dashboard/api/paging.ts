import { z } from "zod";
import type { Listed, PageOf, Position } from "../../domain/ports/lists.ts";
import type { Answer } from "../../http/answer.ts";
import type { QueryParameter } from "./query-parameter.ts";

/** Default and maximum number of rows on a page. */
const USUAL = 100;
export const MOST = 500;

/** A page of a list, with the cursor of the next page; null on the last page. */
export interface Paged<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

const NO_PAGE_HINT = `set ?after= to the \`next\` of the previous page of the same list, and ?limit= to a number from 1 to ${MOST}`;

export const NO_PAGE: Answer = {
  status: 400,
  body: { error: "invalid_argument", hint: NO_PAGE_HINT },
};

/** The parameters of a list. */
export const PAGING: Readonly<Record<"limit" | "after", QueryParameter>> = {
  limit: {
    about: `Number of rows, ${USUAL} where it is left out.`,
    schema: z.int().min(1).max(MOST),
    hint: NO_PAGE_HINT,
  },
  after: { about: "`next` of the previous page of the same list.", schema: z.string(), hint: NO_PAGE_HINT },
};

/**
 * Parses `?limit=` and `?after=`; null if they are invalid. The cursor is opaque to callers: it holds the sort key
 * (`keys` numbers) of the last row shown.
 */
export function pageOf(query: URLSearchParams, keys: number, usual = USUAL): PageOf | null {
  const asked = query.get("limit");
  const limit = asked === null ? usual : Number(/^\d{1,3}$/.test(asked) ? asked : Number.NaN);
  if (!(limit >= 1 && limit <= MOST)) return null;
  const cursor = query.get("after");
  if (cursor === null) return { after: null, limit };
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  if (!/^-?\d{1,15}(?:,-?\d{1,15})*$/.test(text) || cursorOf(text.split(",").map(Number)) !== cursor)
    return null;
  const after = text.split(",").map(Number);
  return after.length === keys ? { after, limit } : null;
}

/** Reads a page and one more row, to find out whether another page follows. */
export async function paged<Row>(
  page: PageOf,
  read: (page: PageOf) => Promise<readonly Listed<Row>[]>,
): Promise<Paged<Row>> {
  const found = await read({ ...page, limit: page.limit + 1 });
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(({ row }) => row),
    next: found.length > page.limit && last !== undefined ? cursorOf(last.position) : null,
  };
}

export function cursorOf(position: Position): string {
  return Buffer.from(position.join(","), "latin1").toString("base64url");
}
