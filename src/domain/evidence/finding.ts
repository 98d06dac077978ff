import type { Mark } from "./test-regions.ts";

/** Characters of a line of a file that are shown. */
const QUOTED = 80;

/** One way in which a change may weaken the tests. */
export interface Finding {
  readonly path: string;
  /** After the change; before it, for what is gone. Null where it is about the whole file. */
  readonly line: number | null;
  readonly kind:
    | "test_gone"
    | "assertions"
    | "cases"
    | Mark["kind"]
    | "limit"
    | "snapshot"
    | "configuration"
    | "data"
    | "unread"
    /** Stands for findings that are not listed. */
    | "more";
  /** In words that follow the path; they quote the file. */
  readonly what: string;
}

/** Returns a line of a file as the findings show it. */
export const quoted = (text: string) =>
  JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
