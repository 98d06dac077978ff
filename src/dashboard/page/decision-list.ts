import { html } from "htm/preact";
import { Moment } from "./moments.ts";
import { Words } from "./words.ts";

/** A decision of the API: why something was done or not done. */
export interface Decision {
  readonly at: string;
  readonly what: string;
  readonly reason: string;
  readonly change: string | null;
  readonly next: string;
  readonly count: number;
}

/** The decisions, latest first, each with what would change it. */
export function DecisionList({ decisions }: { readonly decisions: readonly Decision[] }) {
  if (decisions.length === 0)
    return html`<p class="empty">Flotilla has not held back or refused anything.</p>`;
  return html`<ol class="decisions" tabindex="0" aria-label="Decisions, latest first">
    ${decisions.map(
      (decision, index) => html`<li key=${index}>
        <${Moment} at=${decision.at} /> <strong>${decision.what}</strong>${decision.count > 1 ? ` (${decision.count} times)` : ""}:${" "}
        <${Words} text=${decision.reason} />
        <p class="of"><${Words} text=${decision.change ?? decision.next} /></p>
      </li>`,
    )}
  </ol>`;
}
