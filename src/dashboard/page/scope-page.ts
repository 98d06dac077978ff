/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { ScopeView } from "../api/scope-pages.ts";
import { ActButton } from "./act-button.ts";
import { AgentTable } from "./agent-table.ts";
import type { Me } from "./ask.ts";
import { Board } from "./board.ts";
import { Frame } from "./frame.ts";
import { GoalTable } from "./goal-table.ts";
import { useEvents, useRead, useVersion } from "./live.ts";
import { PauseNotices } from "./pause-notices.ts";
import { Reading } from "./reading.ts";
import { RepositoryConfigFacts } from "./repository-config.ts";
import { ScopeFigures } from "./scope-figures.ts";
import { plainly } from "./state-words.ts";
import { pathOf, readWanted } from "./work-filter.ts";

interface ScopePageProps {
  readonly me: Me;
  readonly repository: string;
  /** The tracking issue of a goal; null for the repository itself. */
  readonly goal: number | null;
}

/** The page of a repository or a goal: results, cost, and time by state. */
export function ScopePage({ me, repository, goal }: ScopePageProps) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const name = encodeURIComponent(repository);
  const place = goal === null ? `/api/repositories/${name}` : `/api/goals/${name}/${goal}`;
  const path = new URLSearchParams(location.search).get("per") === "week" ? `${place}?per=week` : place;
  const { body, refused } = useRead<ScopeView>(path, version);
  const title = `${goal === null ? repository : `${repository}#${goal}`} · Flotilla`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return html`<${Frame} me=${me} lost=${lost}>
    ${
      body === null
        ? refused?.status === 404
          ? html`<${NoPlace} repository=${repository} goal=${goal} />`
          : html`<h1>${repository}</h1><${Reading} refused=${refused} again=${changed} />`
        : html`<${Place} seen=${body} changed=${changed} />`
    }
  <//>`;
}

/** Nobody can tell what is not there from what the viewer may not see. */
function NoPlace({ repository, goal }: { readonly repository: string; readonly goal: number | null }) {
  const name = goal === null ? repository : `${repository}#${goal}`;
  return html`
    <h1>${goal === null ? "No such repository" : "No such goal"}</h1>
    <p role="status">Flotilla knows no ${goal === null ? "repository" : "goal"} <code>${name}</code>, or you may not see it.</p>
    <p>${goal === null ? html`<a href="/work">See all agents</a>` : html`<a href="/goals?state=any">See all goals</a>`}</p>
  `;
}

function Place({ seen, changed }: { readonly seen: ScopeView; readonly changed: () => void }) {
  const { figures, goal, repository, site, paused } = seen;
  const isPaused = paused.some(({ holder, scope }) => holder === "person" && scope !== "all");
  return html`
    <div class="head">
      <h1>
        ${
          goal === null
            ? html`<a href=${`${site}/${repository}`}>${repository}</a>`
            : html`Goal <a href=${`${site}/${repository}/issues/${goal.issue}`}>${repository}#${goal.issue}</a>
              <span class="title"> ${goal.title}: ${plainly(goal.state)}</span>`
        }
      </h1>
      ${
        goal === null
          ? html`<p class="acts">
            ${isPaused ? null : html`<${ActButton} path="/api/pause" body=${{ scope: repository }} about=${repository} done=${changed} sure=${true}>Pause<//>`}
          </p>`
          : null
      }
    </div>
    <${PauseNotices} paused=${paused} lifts=${({ scope }: { scope: string }) => (scope === "all" ? null : repository)} changed=${changed} />
    ${
      seen.plan === null
        ? null
        : html`<section aria-labelledby="goals">
          <h2 id="goals">Progress</h2>
          <${GoalTable} goals=${[seen.plan]} site=${site} changed=${changed} />
        </section>`
    }
    ${seen.own_file === null ? null : html`<${RepositoryConfigFacts} file=${seen.own_file} />`}
    <${ScopeFigures} figures=${figures} isGoal=${goal !== null} />
    <section aria-labelledby="agents">
      <h2 id="agents">Agents</h2>
      <${AgentTable} agents=${seen.agents} />
      ${goal === null ? html`<p><a href=${pathOf("/work", { ...readWanted(""), state: "any", repository })}>All agents of ${repository}</a></p>` : null}
    </section>
    <section aria-labelledby="tasks">
      <h2 id="tasks">Work</h2>
      <${Board} tasks=${seen.tasks} counts=${seen.task_counts} site=${site} />
    </section>
  `;
}
