import { parseMarker } from "../../../src/domain/messages/marker.ts";

/** An answer of the stand-in for GitHub to a request of the App, or of a person. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** Something that Flotilla has made at GitHub: how often, by what it is. */
export type Made = Map<string, number>;

/** Counts what an answer says was made. What people make has no marker of ours, and no branch of ours. */
export function count(made: Made, seen: Seen): void {
  const what = madeBy(seen);
  if (what !== undefined) made.set(what, (made.get(what) ?? 0) + 1);
}

/** Returns what was made more than once. */
export function doubles(made: Made): readonly string[] {
  return [...made].filter(([, times]) => times > 1).map(([what]) => what);
}

function madeBy({ method, path, status, body }: Seen): string | undefined {
  // GitHub answers 200 to a review, and 201 to whatever else is made.
  const isMade = status === (path.endsWith("/reviews") ? 200 : 201);
  if (method !== "POST" || !isMade || typeof body !== "object" || body === null) return undefined;
  if (path.endsWith("/pulls")) return `${path} ${headOf(body)}`;
  if (!/\/(?:issues|comments|reviews)$/.test(path)) return undefined;
  const text = "body" in body && typeof body.body === "string" ? body.body : "";
  const marker = parseMarker(text);
  return marker === undefined ? undefined : `${path} ${marker.key}`;
}

function headOf(pull: object): string {
  const head = "head" in pull && typeof pull.head === "object" ? pull.head : null;
  return head !== null && "ref" in head ? String(head.ref) : "";
}
