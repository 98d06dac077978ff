import { html } from "htm/preact";
import type { GoalJson } from "../api/goal-json.ts";
import { GoalActs } from "./goal-table.ts";
import { Words } from "./words.ts";

/** The goals and sprints that wait for a person's approval to continue, for the waiting list. */
export function Checkpoints({
  goals,
  changed,
}: {
  readonly goals: readonly GoalJson[];
  readonly changed: () => void;
}) {
  const waiting = goals.filter(({ state }) => state === "CHECKPOINT");
  if (waiting.length === 0) return null;
  return html`<ol class="waiting">
    ${waiting.map(
      (goal) => html`<li key=${goal.key}>
        <p class="kind"><strong>Checkpoint</strong></p>
        <p class="subject">${goal.key} ${goal.title}</p>
        <p class="what"><${Words} text=${goal.reason ?? ""} /></p>
        <p class="next">
          ${goal.done} of ${goal.done + goal.open} issues are done. None of its agents starts or wakes: <${Words} text=${goal.next} />.
        </p>
        <${GoalActs} goal=${goal} changed=${changed} />
      </li>`,
    )}
  </ol>`;
}
