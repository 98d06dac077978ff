/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { read } from "./ask.ts";

/** One page of a list, and the cursor of the next one. */
interface Page<Row> {
  readonly [name: string]: readonly Row[] | string | null;
  readonly next: string | null;
}

export interface Pages<Row> {
  readonly rows: readonly Row[];
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
  const [count, setCount] = useState(first);
  const [shown, setShown] = useState<{ rows: readonly Row[]; next: string | null }>({ rows: [], next: null });
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
      if (current) setShown({ rows, next });
    };
    // If a read fails, the rows stay as they are until the next read.
    refresh().catch(() => {});
    return () => {
      current = false;
    };
  }, [path, version, count, from]);
  return { rows: shown.rows, more: shown.next === null ? null : () => setCount((before) => before + 1) };
}

/** A button below a list that has more rows. */
export function More({ pages, what }: { readonly pages: Pages<unknown>; readonly what: string }) {
  if (pages.more === null) return null;
  return html`<p class="acts"><button type="button" onClick=${pages.more}>Show more ${what}</button></p>`;
}
