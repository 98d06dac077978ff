/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { AgentView } from "../api/agent-view.ts";
import { AgentTable } from "./agent-table.ts";
import type { Me } from "./ask.ts";
import { Frame } from "./frame.ts";
import { useEvents, useVersion } from "./live.ts";
import { Loaded, More, usePages } from "./pages.ts";

/** The agents, and the work on issues. */
export function WorkView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const live = usePages<AgentView>("/api/live-agents", "agents", { version });
  const ended = usePages<AgentView>("/api/ended-agents", "agents", { version });
  useEffect(() => {
    document.title = "Work · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Work</h1>
    <${Loaded} lists=${[live, ended]}>
      <${AgentTable} agents=${[...live.rows, ...ended.rows]} />
    <//>
    <${More} pages=${live} what="agents" />
    <${More} pages=${ended} what="agents that ended in the last 24 hours" />
  <//>`;
}
