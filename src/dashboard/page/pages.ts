/// <reference lib="dom" />
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused, read } from "./ask.ts";

/** One page of a list, and the cursor of the next one. */
interface Page<Row> {
  readonly [name: string]: readonly Row[] | string | null;
  readonly next: string | null;
}

export interface Pages<Row> {
  readonly rows: readonly Row[];
  /** False until the first read has succeeded: only then an empty list means that there is nothing. */
  readonly loaded: boolean;
  /** Why the rows could not be read; null if they were. */
  readonly refused: string | null;
  /** Shows another page; null if all rows are shown. */
  readonly more: (() => void) | null;
}

/**
 * Reads the first page of a list, and as many more as the viewer asked for; reads all of them again each time that
 * `version` grows. With `from`, it starts after that cursor and shows no page at first, because the rows before the
 * cursor are already shown.
 */
export function usePages<Row>(
  path: string,
  name: string,
  { version, from }: { readonly version: number; readonly from?: string | null },
): Pages<Row> {
  const first = from === undefined ? 1 : 0;
  const [asked, setAsked] = useState({ path, count: first });
  // Another list begins with its first page.
  const count = asked.path === path ? asked.count : first;
  const [shown, setShown] = useState<Shown<Row>>({ ...NOTHING, path });
  useEffect(() => {
    let current = true;
    const refresh = async (): Promise<void> => {
      const rows: Row[] = [];
      let next: string | null = from ?? null;
      for (let page = 0; page < count && (page < first || next !== null); page += 1) {
        const after =
          next === null ? "" : `${path.includes("?") ? "&" : "?"}after=${encodeURIComponent(next)}`;
        const answer = await read<Page<Row>>(path + after);
        const found = answer[name];
        if (typeof found === "object" && found !== null) rows.push(...found);
        next = answer.next;
      }
      if (current) setShown({ path, rows, next, loaded: true, refused: null });
    };
    // If a read fails, the rows stay as they are until the next read. Those of another list do not.
    refresh().catch((error: unknown) => {
      // The sign-in has ended: reloading removes what is shown and asks for a new sign-in.
      if (error instanceof Refused && error.status === 401) location.reload();
      else if (current && error instanceof Refused)
        setShown((before) => ({
          ...(before.path === path ? before : { ...NOTHING, path }),
          refused: error.message,
        }));
    });
    return () => {
      current = false;
    };
  }, [path, version, count, from]);
  const { rows, next, loaded, refused } = shown;
  const more = next === null ? null : () => setAsked({ path, count: count + 1 });
  return { rows, loaded, refused, more };
}

interface Shown<Row> extends Omit<Pages<Row>, "more"> {
  /** The list that the rows are from. */
  readonly path: string;
  readonly next: string | null;
}

const NOTHING = { rows: [], next: null, loaded: false, refused: null };

/** Shows `children` once all of these lists are read, so that no list is called empty before. */
export function Loaded({
  lists,
  children,
}: {
  readonly lists: readonly Pages<unknown>[];
  readonly children?: ComponentChildren;
}) {
  if (lists.every(({ loaded }) => loaded)) return children;
  const refused = lists.find((list) => list.refused !== null)?.refused;
  return refused == null
    ? html`<p class="empty" role="status">Loading…</p>`
    : html`<p class="refused" role="status">${refused}</p>`;
}

interface ListedProps {
  readonly pages: Pages<unknown>;
  /** What is said of a list without rows. */
  readonly none: string;
  readonly children?: ComponentChildren;
}

/** A list once it is read, or what is said where it has no rows. */
export function Listed({ pages, none, children }: ListedProps) {
  return html`<${Loaded} lists=${[pages]}>
    ${pages.rows.length === 0 ? html`<p class="empty">${none}</p>` : children}
  <//>`;
}

/** A button below a list that has more rows. */
export function More({ pages, what }: { readonly pages: Pages<unknown>; readonly what: string }) {
  if (pages.more === null) return null;
  return html`<p class="acts"><button type="button" onClick=${pages.more}>Show more ${what}</button></p>`;
}
