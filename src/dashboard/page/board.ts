import { html } from "htm/preact";
import type { TaskJson } from "../task-json.ts";

/** The columns, in the order in which work goes; `kept` are there even when nothing is in them. */
const COLUMNS: readonly {
  readonly state: TaskJson["state"];
  readonly name: string;
  readonly kept: boolean;
}[] = [
  { state: "DRAFT", name: "Draft", kept: false },
  { state: "UNCLAIMED", name: "Ready", kept: true },
  { state: "CLAIMED", name: "In work", kept: true },
  { state: "READY_FOR_REVIEW", name: "In review", kept: true },
  { state: "REJECTED", name: "Changes asked for", kept: false },
  { state: "APPROVED", name: "Approved", kept: false },
  { state: "INTEGRATION_FAILED", name: "Does not merge", kept: false },
  { state: "BLOCKED", name: "Needs a new plan", kept: false },
  { state: "MERGED", name: "Merged", kept: true },
  { state: "SUPERSEDED", name: "Superseded", kept: false },
  { state: "ABANDONED", name: "Given up", kept: false },
];
/** Of a column so many are shown; of what is over the latest. */
const SHOWN = 12;

/** The work by where it stands. */
export function Board({ tasks, site }: { readonly tasks: readonly TaskJson[]; readonly site: string }) {
  const columns = COLUMNS.map((column) => ({
    ...column,
    tasks: tasks.filter(({ state }) => state === column.state).toReversed(),
  })).filter((column) => column.kept || column.tasks.length > 0);
  return html`<div class="board">
    ${columns.map(
      (column) => html`<section key=${column.state} aria-label=${`${column.name}: ${column.tasks.length}`}>
        <h3>${column.name} <span class="of">${column.tasks.length}</span></h3>
        <ul>
          ${column.tasks.slice(0, SHOWN).map((task) => html`<${Card} key=${`${task.repository}#${task.issue}`} task=${task} site=${site} />`)}
        </ul>
        ${column.tasks.length > SHOWN ? html`<p class="of">and ${column.tasks.length - SHOWN} more</p>` : null}
      </section>`,
    )}
  </div>`;
}

function Card({ task, site }: { readonly task: TaskJson; readonly site: string }) {
  return html`<li>
    <a href=${`${site}/${task.repository}/issues/${task.issue}`}>#${task.issue}</a> ${task.title}
    <span class="of">
      ${[task.agent, task.sprint, task.reason].filter((part) => part !== null).join(" · ") || task.repository}
    </span>
  </li>`;
}
