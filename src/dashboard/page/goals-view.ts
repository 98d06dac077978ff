/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { GoalJson } from "../api/goal-json.ts";
import type { Me } from "./ask.ts";
import { Frame } from "./frame.ts";
import { GoalTable } from "./goal-table.ts";
import { useEvents, useVersion } from "./live.ts";
import { Loaded, More, usePages } from "./pages.ts";

const SHOWN = [
  ["open", "Open"],
  ["any", "Open and ended"],
] as const;

/** Goals, and sprints without a goal: those that have not ended, or all. */
export function GoalsView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const state = new URLSearchParams(location.search).get("state") === "any" ? "any" : "open";
  const goals = usePages<GoalJson>(`/api/goals?state=${state}`, "goals", { version });
  useEffect(() => {
    document.title = "Goals · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${lost}>
    <div class="head">
      <h1>Goals</h1>
      <nav class="spans" aria-label="Which goals">
        ${SHOWN.map(
          ([value, name]) =>
            html`<a key=${value} href=${value === "open" ? "/goals" : `/goals?state=${value}`} aria-current=${value === state ? "page" : undefined}>${name}</a>`,
        )}
      </nav>
    </div>
    <${Loaded} lists=${[goals]}>
      ${goals.rows.length === 0 ? html`<${NoGoals} isAny=${state === "any"} />` : html`<${GoalTable} goals=${goals.rows} site=${me.site} changed=${changed} />`}
    <//>
    <${More} pages=${goals} what="goals" />
  <//>`;
}

function NoGoals({ isAny }: { readonly isAny: boolean }) {
  return html`<p class="empty">${isAny ? "There has been no goal yet." : "No goal is open."}</p>
    <p>A goal is an issue whose sub-issues are worked on together. To start one, give an issue the label <code>goal</code>.</p>`;
}
