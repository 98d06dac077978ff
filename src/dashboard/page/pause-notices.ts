import { html } from "htm/preact";
import type { Overview } from "../api/overview.ts";
import { ActButton } from "./act-button.ts";
import { Words } from "./words.ts";

type Pause = Overview["paused"][number];

interface PauseNoticesProps {
  readonly paused: readonly Pause[];
  /** Returns the scope to resume, or null if this pause cannot be lifted here. */
  readonly lifts: (pause: Pause) => string | null;
  readonly changed: () => void;
}

/** What is paused, by whom and why, with a button that lifts a pause made by a person. */
export function PauseNotices({ paused, lifts, changed }: PauseNoticesProps) {
  return paused.map((pause) => {
    const scope = pause.holder === "person" ? lifts(pause) : null;
    const what = pause.scope === "all" ? "Everything is paused" : "Paused";
    return html`<div class="notice" key=${`${pause.scope} ${pause.holder}`}>
      <p>${what} by ${pause.by}${pause.reason === null ? "" : ` (${pause.reason})`}: <${Words} text=${pause.change} />.</p>
      ${
        scope === null
          ? null
          : html`<p class="acts"><${ActButton} path="/api/resume" body=${{ scope }} about=${scope} done=${changed}>Resume<//></p>`
      }
    </div>`;
  });
}
