/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { TaskJson } from "../api/goal-json.ts";
import type { Me } from "./ask.ts";
import { Card } from "./board.ts";
import { Frame } from "./frame.ts";
import { useEvents, useVersion } from "./live.ts";
import { Loaded, More, usePages } from "./pages.ts";

const PARTS = [
  ["APPROVED", "Approved", "Nothing is waiting to be merged."],
  ["INTEGRATION_FAILED", "Cannot be merged", "All approved work can be merged."],
  ["READY_FOR_REVIEW", "In review", "Nothing is in review."],
  ["MERGED", "Merged", "Nothing has been merged yet."],
] as const;

/** The way of finished work to the base branch: what is approved, what stands in the way, and what was merged last. */
export function MergeQueueView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  useEffect(() => {
    document.title = "Merge queue · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Merge queue</h1>
    ${PARTS.map(([state, name, none]) => html`<${Part} key=${state} me=${me} state=${state} name=${name} none=${none} version=${version} />`)}
  <//>`;
}

interface PartProps {
  readonly me: Me;
  readonly state: TaskJson["state"];
  readonly name: string;
  /** Text for an empty list. */
  readonly none: string;
  readonly version: number;
}

/** The work in one state: what came first stands first, except for what is over. */
function Part({ me, state, name, none, version }: PartProps) {
  const path = `/api/tasks?limit=50&state=${state}${state === "MERGED" ? "&order=latest" : ""}`;
  const tasks = usePages<TaskJson>(path, "tasks", { version });
  return html`<section aria-labelledby=${state}>
    <h2 id=${state}>${name} ${tasks.loaded ? html`<span class="of">${tasks.rows.length}${tasks.more === null ? "" : "+"}</span>` : null}</h2>
    <${Loaded} lists=${[tasks]}>
      ${
        tasks.rows.length === 0
          ? html`<p class="empty">${none}</p>`
          : html`<ol class="cards">
            ${tasks.rows.map((task) => html`<${Card} key=${`${task.repository}#${task.issue}`} task=${task} site=${me.site} />`)}
          </ol>`
      }
    <//>
    <${More} pages=${tasks} what="work" />
  </section>`;
}
