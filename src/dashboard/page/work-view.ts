/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentView } from "../api/agent-view.ts";
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
        <p class=${pages.rows.length === 0 ? "empty" : "of"} role="status">${foundWords(pages, isUsual(wanted))}</p>
        ${pages.rows.length > 0 ? html`<${AgentTable} agents=${pages.rows} inOrder=${true} />` : null}
        ${pages.rows.length === 0 && pages.more === null ? html`<${Nothing} wanted=${wanted} want=${want} />` : null}
      <//>
      <${More} pages=${pages} what=${pages.rows.length === 0 ? "of the earlier agents" : "agents"} />
    </section>
  <//>`;
}

function isUsual(wanted: Wanted): boolean {
  return pathOf("", wanted) === "";
}

function foundWords({ rows, more }: Pages<AgentView>, isAll: boolean): string {
  if (rows.length > 0 && more !== null) return `${rows.length} agents, and more`;
  if (rows.length > 0) return rows.length === 1 ? "1 agent" : `${rows.length} agents`;
  if (more !== null) return "None of the latest 2,000 agents matches.";
  return isAll ? "No agent is at work or asleep." : "No agent matches.";
}

/** The next step from an empty list. */
function Nothing({ wanted, want }: { readonly wanted: Wanted; readonly want: (next: Wanted) => void }) {
  if (isUsual(wanted))
    return html`<p>To start one, label an issue, or comment <code>/flotilla start</code> on it.</p>
      <p class="acts"><button type="button" onClick=${() => want({ ...wanted, state: "ended" })}>Show ended agents</button></p>`;
  return html`<p class="acts">
    ${wanted.state === "any" ? null : html`<button type="button" onClick=${() => want({ ...wanted, state: "any" })}>Look in all states</button>`}
    <button type="button" onClick=${() => want(readWanted(""))}>Clear the filter</button>
  </p>`;
}
