import { html } from "htm/preact";
import { Moment, span } from "./moments.ts";
import { type Move, moveSentence, reasonWords, stepWord } from "./move-words.ts";
import { plainly } from "./state-words.ts";
import { Words } from "./words.ts";

/** What happened to the agent and its work in plain sentences, latest first. `moves` are oldest first. */
export function History({ moves }: { readonly moves: readonly Move[] }) {
  const told = moves.flatMap((move) => {
    const sentence = moveSentence(move);
    return sentence === null ? [] : [{ ...move, sentence }];
  });
  if (told.length === 0) return html`<p class="empty">Nothing yet.</p>`;
  return html`<ol class="timeline" reversed>
    ${told.toReversed().map(
      ({ id, at, sentence, reason }) => html`<li key=${id}>
        <${Moment} at=${at} /> ${sentence}${reason === null ? null : html`: <${Words} text=${reasonWords(reason)} />`}
      </li>`,
    )}
  </ol>`;
}

/** Every transition with its states, latest first. `moves` are oldest first. */
export function Transitions({ moves }: { readonly moves: readonly Move[] }) {
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

/** Steps that are named at the end of a long path. */
const LAST_STEPS = 8;

/**
 * The agent's states in order, each with how long it lasted; of a long path its beginning and its end. `moves` are
 * oldest first, and `state` is the present one.
 */
export function StatePath({ moves, state }: { readonly moves: readonly Move[]; readonly state: string }) {
  const steps = moves.filter(({ machine, from, to }) => machine === "agent" && from !== to);
  if (steps.length === 0) return null;
  const hidden = Math.max(0, steps.length - LAST_STEPS - 1);
  return html`<ol class="path" aria-label="States, the first one first">
    ${steps.map((step, index) => {
      const next = steps[index + 1];
      if (hidden > 1 && index > 0 && index <= hidden)
        return index === 1 ? html`<li key="more">${hidden} more</li>` : null;
      const isLast = next === undefined;
      return html`<li key=${step.id} class=${isLast && step.to === state ? "lit" : ""} aria-current=${isLast ? "step" : undefined}>
        ${stepWord(step.to)}${isLast ? null : html` <span class="of">${span(Date.parse(next.at) - Date.parse(step.at))}</span>`}
      </li>`;
    })}
  </ol>`;
}
