import { html } from "htm/preact";
import type { TaskJson } from "../api/goal-json.ts";
import type { Me } from "./ask.ts";
import { Card } from "./board.ts";
import { Frame } from "./frame.ts";
import { useEvents, useVersion } from "./live.ts";
import { Loaded, More, usePages } from "./pages.ts";
import { plainly } from "./state-words.ts";

/** All tasks in one state, latest first. */
export function TasksView({ me, state }: { readonly me: Me; readonly state: TaskJson["state"] }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const path = `/api/tasks?order=latest&state=${encodeURIComponent(state)}`;
  const pages = usePages<TaskJson>(path, "tasks", { version });
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Work: ${plainly(state)}</h1>
    <${Loaded} lists=${[pages]}><div class="board">
      <section aria-label=${plainly(state)}>
        ${pages.rows.length === 0 ? html`<p class="empty">No work is in this state.</p>` : null}
        <ul>
          ${pages.rows.map((task) => html`<${Card} key=${`${task.repository}#${task.issue}`} task=${task} site=${me.site} named=${true} />`)}
        </ul>
        <${More} pages=${pages} what="work" />
      </section>
    </div><//>
  <//>`;
}
