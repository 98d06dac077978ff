/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { TaskJson } from "../api/goal-json.ts";
import type { WaitingItem } from "../api/waiting.ts";
import type { Me } from "./ask.ts";
import { Card } from "./board.ts";
import { Frame } from "./frame.ts";
import { ItemActs } from "./item-acts.ts";
import { useEvents, useVersion } from "./live.ts";
import { Loaded, More, usePages } from "./pages.ts";

const PARTS = [
  ["APPROVED", "Approved", "Nothing is waiting to be merged."],
  ["INTEGRATION_FAILED", "Cannot be merged", "All approved work can be merged."],
  ["READY_FOR_REVIEW", "In review", "Nothing is in review."],
  ["MERGED", "Merged", "Nothing has been merged yet."],
] as const;

/**
 * The way of finished work to the base branch: what is approved, what stands in the way, and what was merged last, with
 * what a person is asked to do about it.
 */
export function MergeQueueView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const { rows: waiting } = usePages<WaitingItem>("/api/waiting?limit=500", "waiting", { version });
  useEffect(() => {
    document.title = "Merge queue · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Merge queue</h1>
    ${PARTS.map(([state, name, none]) => html`<${Part} key=${state} me=${me} state=${state} name=${name} none=${none} version=${version} waiting=${waiting} changed=${changed} />`)}
  <//>`;
}

interface PartProps {
  readonly me: Me;
  readonly state: TaskJson["state"];
  readonly name: string;
  /** Text for an empty list. */
  readonly none: string;
  readonly version: number;
  readonly waiting: readonly WaitingItem[];
  readonly changed: () => void;
}

/** What awaits a person about work, beside what its agents ask. */
const OF_WORK: readonly WaitingItem["kind"][] = ["merge", "review", "unmerged"];

/** The work in one state: what came first stands first, except for what is over. */
function Part({ me, state, name, none, version, waiting, changed }: PartProps) {
  const path = `/api/tasks?limit=50&state=${state}${state === "MERGED" ? "&order=latest" : ""}`;
  const tasks = usePages<TaskJson>(path, "tasks", { version });
  const asked = ({ repository, issue }: TaskJson) =>
    waiting.filter(
      (item) => item.issue === issue && item.repository === repository && OF_WORK.includes(item.kind),
    );
  return html`<section aria-labelledby=${state}>
    <h2 id=${state}>${name} ${tasks.loaded ? html`<span class="of">${tasks.rows.length}${tasks.more === null ? "" : "+"}</span>` : null}</h2>
    <${Loaded} lists=${[tasks]}>
      ${
        tasks.rows.length === 0
          ? html`<p class="empty">${none}</p>`
          : html`<ol class="cards">
            ${tasks.rows.map(
              (
                task,
              ) => html`<${Card} key=${`${task.repository}#${task.issue}`} task=${task} site=${me.site} named=${true}>
                ${asked(task).map((item) => html`<${ItemActs} key=${item.kind} item=${item} about=${`#${task.issue}`} done=${changed} />`)}
              <//>`,
            )}
          </ol>`
      }
    <//>
    <${More} pages=${tasks} what="work" />
  </section>`;
}
