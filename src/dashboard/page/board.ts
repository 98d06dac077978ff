import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type { TaskJson } from "../api/goal-json.ts";
import { Moment } from "./moments.ts";
import { Phase, phaseBeside, State } from "./state-words.ts";
import { Words } from "./words.ts";

/** The columns, in the order of a task's life; those with `kept` are shown even if they are empty. */
const COLUMNS: readonly {
  readonly state: TaskJson["state"];
  readonly name: string;
  readonly kept: boolean;
}[] = [
  { state: "DRAFT", name: "Draft", kept: false },
  { state: "UNCLAIMED", name: "Ready", kept: true },
  { state: "CLAIMED", name: "In progress", kept: true },
  { state: "READY_FOR_REVIEW", name: "In review", kept: true },
  { state: "REJECTED", name: "Changes requested", kept: false },
  { state: "APPROVED", name: "Approved", kept: false },
  { state: "INTEGRATION_FAILED", name: "Cannot be merged", kept: false },
  { state: "BLOCKED", name: "Blocked", kept: false },
  { state: "MERGED", name: "Merged", kept: true },
  { state: "SUPERSEDED", name: "Superseded", kept: false },
  { state: "ABANDONED", name: "Abandoned", kept: false },
];

/** Returns the state of a task that an address names; undefined if there is none of that name. */
export function taskState(name: string): TaskJson["state"] | undefined {
  return COLUMNS.find(({ state }) => state === name)?.state;
}

interface BoardProps {
  /** The latest tasks of each state. */
  readonly tasks: readonly TaskJson[];
  /** Number of tasks in each state. */
  readonly counts: Readonly<Partial<Record<TaskJson["state"], number>>>;
  readonly site: string;
}

/** The tasks by state: the latest of each column, and how many there are. */
export function Board({ tasks, counts, site }: BoardProps) {
  const columns = COLUMNS.map((column) => ({
    ...column,
    count: counts[column.state] ?? 0,
    tasks: tasks.filter(({ state }) => state === column.state).toReversed(),
  })).filter((column) => column.kept || column.count > 0);
  return html`<div class="board">
    ${columns.map(
      (column) => html`<section key=${column.state} aria-label=${`${column.name}: ${column.count}`}>
        <h3>${column.name} <span class="of">${column.count}</span></h3>
        <ul>
          ${column.tasks.map((task) => html`<${Card} key=${`${task.repository}#${task.issue}`} task=${task} site=${site} />`)}
        </ul>
        ${
          column.count > column.tasks.length
            ? html`<p class="of"><a href=${`/tasks/${column.state}`}>all ${column.count}</a></p>`
            : null
        }
      </section>`,
    )}
  </div>`;
}

/** The agent that works on a task; if it has not started, when it starts or its place in the queue, and why. */
function Now({ agent }: { readonly agent: NonNullable<TaskJson["live"]> }) {
  const { state, phase, starts_at: startsAt, place, why } = agent;
  const beside = phaseBeside(state, phase);
  if (state !== "CREATED")
    return html`<p class="of"><${State} state=${state} />${beside === null ? null : html` <${Phase} phase=${beside} />`}</p>`;
  return html`<p class="of">
    <${State} state=${state} />${startsAt === null ? null : html`, not before <${Moment} at=${startsAt} />`}${place === null ? "" : `, number ${place} in the queue`}${why === null ? null : html`: <${Words} text=${why} />`}
  </p>`;
}

interface CardProps {
  readonly task: TaskJson;
  readonly site: string;
  /** Names the repository as well, where a list has several. */
  readonly named?: boolean;
  /** What a person can do about it. */
  readonly children?: ComponentChildren;
}

export function Card({ task, site, named = false, children }: CardProps) {
  return html`<li>
    <a href=${`${site}/${task.repository}/issues/${task.issue}`}>${named ? task.repository : ""}#${task.issue}</a> ${task.title}
    <span class="of"><${Who} task=${task} site=${site} /></span>
    ${task.next.startsWith("nothing") ? null : html`<p class="of">Next: <${Words} text=${task.next} /></p>`}
    ${task.live === null ? null : html`<${Now} agent=${task.live} />`}
    ${children}
  </li>`;
}

/** The agent of a task and its pull request, as links; then its sprint and why it is where it is. */
function Who({ task, site }: { readonly task: TaskJson; readonly site: string }) {
  const agent = task.live?.name ?? task.agent;
  const { repository, pull, sprint, reason } = task;
  const parts = [
    ...(agent === null
      ? []
      : [html`<a href=${`/agents/${encodeURIComponent(`${repository}:${agent}`)}`}>${agent}</a>`]),
    ...(pull === null
      ? []
      : [html`<a href=${`${site}/${repository}/pull/${pull}`}>pull request #${pull}</a>`]),
    ...(sprint === null ? [] : [sprint]),
    ...(reason === null ? [] : [html`<${Words} text=${reason} />`]),
  ];
  if (parts.length === 0) return repository;
  return parts.map((part, index) => (index === 0 ? part : [" · ", part]));
}
