/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentView } from "../api/agent-view.ts";
import type { NoneFound } from "../api/search-agents.ts";
import { AgentTable } from "./agent-table.ts";
import type { Me } from "./ask.ts";
import { Frame } from "./frame.ts";
import { useEvents, useRead, useVersion } from "./live.ts";
import { Loaded, More, type Pages, usePages } from "./pages.ts";
import { pathOf, readWanted, type Wanted, WorkFilter } from "./work-filter.ts";

interface Choices {
  readonly repositories: readonly string[];
  readonly roles: readonly string[];
}

/** The agents, by what a person looks for. What is looked for stands in the address, so that a link leads to the same. */
export function WorkView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const [wanted, setWanted] = useState(() => readWanted(location.search));
  const pages = usePages<AgentView>(pathOf("/api/agent-search", wanted, "?limit=50"), "agents", { version });
  const { body: choices } = useRead<Choices>("/api/agent-search?limit=1", version);
  const want = (next: Wanted): void => {
    setWanted(next);
    history.replaceState(null, "", pathOf("/work", next));
  };
  useEffect(() => {
    document.title = "Work · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Work</h1>
    <${WorkFilter} wanted=${wanted} want=${want} repositories=${choices?.repositories ?? []} roles=${choices?.roles ?? []} />
    <section aria-labelledby="agents">
      <h2 id="agents">Agents</h2>
      <${Loaded} lists=${[pages]}>
        ${
          pages.rows.length === 0
            ? html`<${Nothing} key=${pathOf("", wanted)} wanted=${wanted} want=${want} version=${version} isMore=${pages.more !== null} />`
            : html`<p class="of" role="status">${foundWords(pages)}</p>
              <${AgentTable} agents=${pages.rows} inOrder=${true} />`
        }
      <//>
      <${More} pages=${pages} what=${pages.rows.length === 0 ? "of the earlier agents" : "agents"} />
    </section>
  <//>`;
}

function isUsual(wanted: Wanted): boolean {
  return pathOf("", wanted) === "";
}

function foundWords({ rows, more }: Pages<AgentView>): string {
  if (more !== null) return `${rows.length} agents, and more`;
  return rows.length === 1 ? "1 agent" : `${rows.length} agents`;
}

interface NothingProps {
  readonly wanted: Wanted;
  readonly want: (next: Wanted) => void;
  readonly version: number;
  /** True if there are agents that have not been looked at. */
  readonly isMore: boolean;
}

/** Says why the list is empty, and the next step. */
function Nothing({ wanted, want, version, isMore }: NothingProps) {
  const { body } = useRead<{ readonly none: NoneFound | null }>(
    pathOf("/api/agent-search", wanted, "?limit=1"),
    version,
  );
  if (isUsual(wanted))
    return html`<p class="empty" role="status">No agent is at work or asleep.</p>
      <p>To start one, <a href="/?start=">start work</a>, label an issue, or comment <code>/flotilla start</code> on it.</p>
      <p class="acts"><button type="button" onClick=${() => want({ ...wanted, state: "ended" })}>Show ended agents</button></p>`;
  if (body?.none == null) return html`<p class="empty" role="status">Loading…</p>`;
  const { issue_without_agent: issue, hidden_by_filter: isHidden } = body.none;
  const byStateAlone = wanted.role === "" && wanted.repository === "";
  const said = isMore
    ? "None of the latest 2,000 agents matches."
    : !isHidden
      ? "No agent matches."
      : byStateAlone
        ? "No agent in this state matches, but others do."
        : "No agent matches with this filter, but others do without it.";
  return html`
    ${
      issue === null
        ? html`<p class="empty" role="status">${said}</p>`
        : html`<p class="empty" role="status">${wanted.repository}#${issue} has no agent yet.</p>
          <p>To start one, <a href=${`/?start=${encodeURIComponent(`${wanted.repository}#${issue}`)}`}>start work on #${issue}</a>, label the issue, or comment <code>/flotilla start</code> on it.</p>
          ${isHidden ? html`<p>Other agents match <q>${wanted.q}</q>, but the filter hides them.</p>` : null}`
    }
    <p class="acts">
      ${isHidden ? html`<button type="button" onClick=${() => want({ ...readWanted(""), q: wanted.q, state: "any" })}>${byStateAlone ? "Look in all states" : "Search without the filter"}</button>` : null}
      <button type="button" onClick=${() => want(readWanted(""))}>${wanted.q === "" ? "Clear the filter" : "Clear search and filter"}</button>
    </p>
  `;
}
