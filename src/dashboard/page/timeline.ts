import { html } from "htm/preact";
import { Moment } from "./moments.ts";
import { plainly } from "./state-words.ts";
import { Words } from "./words.ts";

/** A transition of one of the agent's state machines. */
export interface Move {
  readonly id: number;
  readonly at: string;
  readonly machine: string;
  readonly actor: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
}

/** The transitions that led to the current state, latest first: what changed, who caused it, and why. */
export function Timeline({ moves }: { readonly moves: readonly Move[] }) {
  if (moves.length === 0) return html`<p class="empty">Nothing yet.</p>`;
  return html`<ol class="timeline" reversed tabindex="0" aria-label="Transitions, latest first">
    ${moves.toReversed().map(
      (move) => html`<li key=${move.id} class=${move.machine === "agent" ? "main" : ""}>
        <${Moment} at=${move.at} />${" "}
        <span class="of">${plainly(move.machine)}</span> ${plainly(move.from)} → <strong>${plainly(move.to)}</strong>${" "}
        <span class="of">${plainly(move.event)} by ${move.actor}</span>
        ${move.reason === null ? null : html`<p><${Words} text=${move.reason} /></p>`}
      </li>`,
    )}
  </ol>`;
}
