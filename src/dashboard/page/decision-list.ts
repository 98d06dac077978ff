import { html } from "htm/preact";
import { Moment } from "./moments.ts";
import { Words } from "./words.ts";

/** A decision of the API: why something was done or not done. */
export interface Decision {
  readonly at: string;
  readonly rule: string;
  readonly what: string;
  readonly reason: string;
  readonly change: string | null;
  readonly next: string;
  readonly count: number;
}

/** The decisions that people can do something about, latest first, each with what would change it. */
export function DecisionList({ decisions }: { readonly decisions: readonly Decision[] }) {
  const shown = decisionsShown(decisions);
  if (shown.length === 0) return html`<p class="empty">Flotilla has not held back or refused anything.</p>`;
  return html`<ol class="decisions">
    ${shown.map(
      (decision, index) => html`<li key=${index}>
        <${Moment} at=${decision.at} /> <strong>${decision.what}</strong>${decision.count > 1 ? ` (${decision.count} times)` : ""}:${" "}
        <${Words} text=${decision.reason} />
        ${/^nothing\b/.test(decision.change ?? decision.next) ? null : html`<p class="of"><${Words} text=${decision.change ?? decision.next} /></p>`}
      </li>`,
    )}
  </ol>`;
}

/** Leaves out what Flotilla decided about its own acts, and joins equal decisions, each at the place of the latest. */
export function decisionsShown(decisions: readonly Decision[]): readonly Decision[] {
  const joined = new Map<string, Decision>();
  for (const decision of decisions) {
    if (decision.rule === "own_act") continue;
    const key = JSON.stringify([decision.rule, decision.reason, decision.change]);
    const before = joined.get(key);
    joined.set(key, before === undefined ? decision : { ...before, count: before.count + decision.count });
  }
  return [...joined.values()];
}
