import { html } from "htm/preact";
import type { EffectJson } from "../api/json.ts";
import { ActButton } from "./act-button.ts";
import { Since } from "./moments.ts";
import { plainly } from "./state-words.ts";
import { Words } from "./words.ts";

interface EffectTableProps {
  readonly effects: readonly EffectJson[];
  readonly changed: () => void;
  /** What is said where there are none. */
  readonly none: string;
}

/** Acts outside, each with how often it was tried and what came of it. */
export function EffectTable({ effects, changed, none }: EffectTableProps) {
  if (effects.length === 0) return html`<p class="empty">${none}</p>`;
  return html`<table class="rows">
    <thead>
      <tr>
        <th scope="col">Effect</th>
        <th scope="col">State</th>
        <th scope="col" class="number">Attempts</th>
        <th scope="col">Since</th>
        <th scope="col">Error</th>
        <th scope="col"><span class="unseen">Actions</span></th>
      </tr>
    </thead>
    <tbody>
      ${effects.map((effect) => html`<${Row} key=${effect.id} effect=${effect} changed=${changed} />`)}
    </tbody>
  </table>`;
}

function Row({ effect, changed }: { readonly effect: EffectJson; readonly changed: () => void }) {
  const { id, kind, state, attempts, uncertain, error, settled_at } = effect;
  const name = plainly(kind);
  // A try is counted when it failed for a cause of its own; the one that went through is one more.
  const tries = settled_at === null ? attempts : attempts + 1;
  return html`<tr>
    <th scope="row">${name} <span class="of">${effect.repository}#${effect.issue}</span></th>
    <td data-label="State">${state}${uncertain && settled_at === null ? ", may have been carried out" : ""}</td>
    <td data-label="Attempts" class="number">${tries}</td>
    <td data-label="Since"><${Since} at=${settled_at ?? effect.created_at} /></td>
    <td data-label="Error" class=${error === null ? "" : "error"}><${Words} text=${error ?? "–"} /></td>
    <td>
      ${
        state === "failed"
          ? html`<${ActButton} path=${`/api/effects/${id}/replay`} about=${`${name} on #${effect.issue}`} done=${changed}>Replay<//>`
          : null
      }
    </td>
  </tr>`;
}
