import { html } from "htm/preact";
import type { EffectJson } from "../api/json.ts";
import { ActButton } from "./act-button.ts";
import { Since } from "./moments.ts";
import { Words } from "./words.ts";

interface EffectTableProps {
  readonly effects: readonly EffectJson[];
  readonly changed: () => void;
  /** Text for an empty table. */
  readonly none: string;
}

/** The effects, each with its number of attempts and its outcome. */
export function EffectTable({ effects, changed, none }: EffectTableProps) {
  if (effects.length === 0) return html`<p class="empty">${none}</p>`;
  return html`<table class="rows">
    <thead>
      <tr>
        <th scope="col">Action</th>
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
  const { id, what, state, attempts, uncertain, error, settled_at } = effect;
  const name = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  // `attempts` counts failed attempts only, so a settled effect has one more.
  const tries = settled_at === null ? attempts : attempts + 1;
  return html`<tr>
    <th scope="row"><${Words} text=${name} /> <span class="of">${effect.repository}#${effect.issue}</span></th>
    <td data-label="State">${state}${uncertain && settled_at === null ? ", may have been carried out" : ""}</td>
    <td data-label="Attempts" class="number">${tries}</td>
    <td data-label="Since"><${Since} at=${settled_at ?? effect.created_at} /></td>
    <td data-label="Error" class=${error === null ? "" : "error"}><${Words} text=${error ?? "–"} /></td>
    <td>
      ${
        state === "failed"
          ? html`<${ActButton} path=${`/api/effects/${id}/replay`} about=${`${name} on #${effect.issue}`} done=${changed}>Retry<//>`
          : null
      }
    </td>
  </tr>`;
}
