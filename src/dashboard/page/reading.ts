import { html } from "htm/preact";
import type { Refused } from "./ask.ts";

interface ReadingProps {
  /** Why it could not be read; null while it is being read. */
  readonly refused: Refused | null;
  readonly again: () => void;
}

/** What stands in place of what is not read yet, or cannot be. */
export function Reading({ refused, again }: ReadingProps) {
  if (refused === null) return html`<p class="empty" role="status">Loading…</p>`;
  return html`<p class="refused" role="status">${refused.message}</p>
    <p class="acts"><button type="button" onClick=${again}>Try again</button></p>`;
}
