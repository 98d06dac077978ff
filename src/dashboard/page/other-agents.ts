import { html } from "htm/preact";
import { dollars, Moment } from "./moments.ts";
import { toneOf } from "./state-words.ts";

/** Another agent of the same issue, as `/api/agents/{id}/view` names it. */
export interface Other {
  readonly key: string;
  readonly role: string;
  readonly attempt: number;
  readonly state: string;
  readonly headline: string;
  readonly cost_usd: number;
  readonly created_at: string | null;
}

/** The other attempts at the issue, its reviewers and its triage; the earliest first. */
export function OtherAgents({ others }: { readonly others: readonly Other[] }) {
  return html`<ul class="others">
    ${others.map(
      ({ key, role, attempt, state, headline, cost_usd, created_at }) => html`<li key=${key}>
        <a href=${`/agents/${encodeURIComponent(key)}`}>${role}${attempt > 1 ? `, attempt ${attempt}` : ""}</a>
        ${" "}<span class=${`state ${toneOf(state)}`}>${headline}</span>
        ${" "}<span class="of">${dollars(cost_usd)}, <${Moment} at=${created_at ?? ""} /></span>
      </li>`,
    )}
  </ul>`;
}
