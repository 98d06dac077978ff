import { html } from "htm/preact";
import type { GoalJson } from "../api/goal-json.ts";
import { ActButton } from "./act-button.ts";
import { dollars } from "./moments.ts";
import { plainly } from "./state-words.ts";
import { Words } from "./words.ts";

const ACTS: Readonly<Record<GoalJson["takes"][number], string>> = {
  checkpoint: "Checkpoint",
  continue: "Continue",
  abort: "Abort",
};

interface GoalsProps {
  readonly goals: readonly GoalJson[];
  readonly site: string;
  readonly changed: () => void;
}

/** The goals and sprints: state, progress, cost, and acts. */
export function GoalTable({ goals, site, changed }: GoalsProps) {
  if (goals.length === 0) return html`<p class="empty">No goal is in progress.</p>`;
  return html`<table class="rows">
    <thead>
      <tr>
        <th scope="col">Goal</th>
        <th scope="col">State</th>
        <th scope="col">Sprints</th>
        <th scope="col" class="number">Done</th>
        <th scope="col" class="number">Cost</th>
        <th scope="col"><span class="unseen">Actions</span></th>
      </tr>
    </thead>
    <tbody>
      ${goals.map((goal) => html`<${Row} key=${goal.key} goal=${goal} site=${site} changed=${changed} />`)}
    </tbody>
  </table>`;
}

function Row({
  goal,
  site,
  changed,
}: {
  readonly goal: GoalJson;
  readonly site: string;
  readonly changed: () => void;
}) {
  const { kind, repository, issue, title, state, reason, done, open } = goal;
  const link = kind === "goal" ? `/goals/${repository}/${issue}` : `${site}/${repository}/issues/${issue}`;
  return html`<tr>
    <th scope="row">
      <a href=${link}>${kind === "goal" ? title : `Sprint ${title}`}</a>
      ${kind === "goal" ? html`<span class="of"><a href=${`${site}/${repository}/issues/${issue}`}>${goal.key}</a></span>` : html`<span class="of">${goal.key}</span>`}
    </th>
    <td data-label="State">
      ${plainly(state)}${reason === null ? null : html` <span class="of"><${Words} text=${reason} /></span>`}
    </td>
    <td data-label="Sprints">${goal.sprints.length === 0 ? "–" : goal.sprints.map((sprint) => html`<${Sprint} key=${sprint.milestone} sprint=${sprint} said=${reason ?? ""} />`)}</td>
    <td data-label="Done" class="number">${done}<span class="of"> of ${done + open}</span></td>
    <td data-label="Cost" class="number">${dollars(goal.cost_usd)}</td>
    <td><${GoalActs} goal=${goal} changed=${changed} /></td>
  </tr>`;
}

/** A sprint of a goal. Leaves out its reason if the state of the goal already says it. */
function Sprint({ sprint, said }: { readonly sprint: GoalJson["sprints"][number]; readonly said: string }) {
  const { title, state, due_at } = sprint;
  const reason = sprint.reason === null || said.includes(sprint.reason) ? null : sprint.reason;
  const due = due_at === null ? "" : `, due ${due_at.slice(0, 10)}`;
  return html`<div>${title}: ${plainly(state)}${due}${reason === null ? null : html` <span class="of">${reason}</span>`}</div>`;
}

/** The buttons for the acts that the goal accepts now. */
export function GoalActs({ goal, changed }: { readonly goal: GoalJson; readonly changed: () => void }) {
  const path = `/api/goals/${encodeURIComponent(goal.key ?? "")}`;
  return html`<p class="acts">
    ${goal.takes.map(
      (verb) =>
        html`<${ActButton} key=${verb} path=${`${path}/${verb}`} about=${goal.title} done=${changed} sure=${verb === "abort"}>${ACTS[verb]}<//>`,
    )}
  </p>`;
}
