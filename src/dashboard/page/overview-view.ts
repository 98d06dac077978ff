/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentView } from "../api/agent-view.ts";
import type { GoalJson } from "../api/goal-json.ts";
import type { Overview } from "../api/overview.ts";
import type { WaitingItem } from "../api/waiting.ts";
import { AgentTable } from "./agent-table.ts";
import { Board } from "./board.ts";
import { BudgetList } from "./budget-list.ts";
import { Figure } from "./figure.ts";
import { FirstSteps } from "./first-steps.ts";
import { GoalTable } from "./goal-table.ts";
import { Inbox } from "./inbox.ts";
import { dollars } from "./moments.ts";
import { NodeList } from "./node-list.ts";
import { More, usePages } from "./pages.ts";
import { PauseNotices } from "./pause-notices.ts";
import { readStart, StartForm } from "./start-form.ts";

interface OverviewProps {
  readonly seen: Overview;
  /** Grows when something may have changed. */
  readonly version: number;
  readonly changed: () => void;
}

/** The overview: what waits for a person, what runs, what it costs; then all tasks by state. */
export function OverviewView({ seen, version, changed }: OverviewProps) {
  const { waiting, agents, tasks, counts, cost_usd: cost, dead, paused } = seen;
  const working = counts.agents.ACTIVE ?? 0;
  const sleeping = counts.agents.SLEEPING ?? 0;
  const moreWaiting = usePages<WaitingItem>("/api/waiting", "waiting", {
    version,
    from: seen.waiting_next,
  });
  const moreAgents = usePages<AgentView>("/api/live-agents", "agents", {
    version,
    from: seen.agents_next,
  });
  const moreEnded = usePages<AgentView>("/api/ended-agents", "agents", { version, from: seen.ended_next });
  const moreGoals = usePages<GoalJson>("/api/goals", "goals", { version, from: seen.goals_next });
  const failures = dead.deliveries + dead.effects;
  const goals = [...seen.goals, ...moreGoals.rows];
  const [start] = useState(() => readStart(location.search));
  const title = counts.waiting === 0 ? "Flotilla" : `(${counts.waiting}) Flotilla`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return html`
    <h1 class="unseen">Inbox</h1>
    ${seen.first_start ? html`<${FirstSteps} version=${version} />` : null}
    <${PauseNotices} paused=${paused} lifts=${({ scope }: { scope: string }) => (scope === "all" ? "all" : null)} changed=${changed} />
    <dl class="figures">
      <${Figure} name=${counts.waiting === 1 ? "needs you" : "need you"} tone=${counts.waiting > 0 ? "warn" : ""} link="#waiting">${counts.waiting}<//>
      <${Figure} name="working" link="/work?state=ACTIVE">${working}<//>
      <${Figure} name="sleeping" link="/work?state=SLEEPING">${sleeping}<//>
      <${Figure} name="spent today">${dollars(cost.today)}<//>
      <${Figure} name="spent in 30 days">${dollars(cost.thirty_days)}<//>
      <${Figure} name=${failures === 1 ? "failure" : "failures"} tone=${failures > 0 ? "bad" : ""} link="/failures">${failures}<//>
    </dl>
    <p class="unseen" role="status">${counts.waiting} waiting for a person, ${working} working</p>
    <details class="start-work" open=${start !== null}>
      <summary>Start work</summary>
      <${StartForm} on=${start} repositories=${seen.repositories} roles=${seen.roles} changed=${changed} />
    </details>
    <div class="first">
      <section aria-labelledby="waiting">
        <h2 id="waiting">Waiting for a person</h2>
        <${Inbox} items=${[...waiting, ...moreWaiting.rows]} more=${moreWaiting} goals=${goals} failures=${failures} changed=${changed} />
      </section>
      <section aria-labelledby="agents">
        <h2 id="agents">Agents</h2>
        <${AgentTable} agents=${[...agents, ...moreAgents.rows, ...moreEnded.rows]} />
        <${More} pages=${moreAgents} what="agents" />
        <${More} pages=${moreEnded} what="agents that ended in the last 24 hours" />
      </section>
    </div>
    ${
      goals.length === 0
        ? null
        : html`<section aria-labelledby="goals">
          <h2 id="goals">Goals</h2>
          <${GoalTable} goals=${goals} site=${seen.site} changed=${changed} />
          <${More} pages=${moreGoals} what="goals" />
        </section>`
    }
    <section aria-labelledby="tasks">
      <h2 id="tasks">Work</h2>
      <p class="places">
        ${seen.repositories.map((name) => html`<a key=${name} href=${`/repositories/${name}`}>${name}</a>`)}
        ${seen.ended_goals.map(
          ({ repository, issue, title: goal, state }) =>
            html`<a key=${`${repository}#${issue}`} href=${`/goals/${repository}/${issue}`}>${`goal ${goal} (${state.toLowerCase()})`}</a>`,
        )}
        ${seen.more_ended_goals === 0 ? null : html`<span class="of">and ${seen.more_ended_goals} more that ended earlier</span>`}
      </p>
      <${Board} tasks=${tasks} counts=${counts.tasks} site=${seen.site} />
    </section>
    <${BudgetList} budgets=${seen.budgets} />
    <${NodeList} nodes=${seen.nodes} standstills=${seen.standstills} />
  `;
}
