/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentView } from "../api/agent-view.ts";
import type { EffectJson, MachineJson } from "../api/json.ts";
import type { WaitingItem } from "../api/waiting.ts";
import { ActButton } from "./act-button.ts";
import { AgentFacts } from "./agent-facts.ts";
import type { Me } from "./ask.ts";
import { type Decision, DecisionList } from "./decision-list.ts";
import { Diagram } from "./diagram.ts";
import { DiffView } from "./diff-view.ts";
import { EffectTable } from "./effect-table.ts";
import { Frame } from "./frame.ts";
import { type LiveEvent, useEvents, useRead, useVersion } from "./live.ts";
import { More, usePages } from "./pages.ts";
import { type Move, Timeline } from "./timeline.ts";
import { Transcript } from "./transcript.ts";
import { type Entry, folded } from "./transcript-fold.ts";
import { WaitingList } from "./waiting-list.ts";

interface Seen {
  readonly agent: AgentView;
  readonly waiting: readonly WaitingItem[];
  readonly machines: Readonly<Record<string, MachineJson>>;
}

/**
 * One agent: its state and how it got there, its transcript, and the reasons. Updates live from the agent's own events.
 */
export function AgentPage({ me, agent: key }: { readonly me: Me; readonly agent: string }) {
  const path = `/api/agents/${encodeURIComponent(key)}`;
  const [version, changed] = useVersion();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const take = (event: LiveEvent): void => {
    setEntries((before) => folded(before, event));
    if (event.type !== "stream:token") changed();
  };
  const lost = useEvents(`/api/events?after=0&agent=${encodeURIComponent(key)}`, take, changed);
  const { body: seen, refused } = useRead<Seen>(`${path}/view`, version);
  const moves = usePages<Move>(`${path}/transitions?order=latest&limit=500`, "transitions", {
    version,
  });
  const decisions = usePages<Decision>(`${path}/decisions`, "decisions", { version });
  const effects = usePages<EffectJson>(`${path}/effects`, "effects", { version });
  const title = `${key.replace(/^.*:/, "")} · Flotilla`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (seen === null)
    return html`<${Frame} me=${me} lost=${lost}>
      <h1>${key}</h1>
      <p class="empty" role="status">${refused === null ? "Loading…" : "This agent does not exist, or you may not see it."}</p>
    <//>`;
  const { agent, waiting, machines } = seen;
  const { agent: agentMachine, run: runMachine } = machines;
  const earliestFirst = moves.rows.toReversed();
  const pathOf = (machine: string) => earliestFirst.filter((move) => move.machine === machine);
  return html`<${Frame} me=${me} lost=${lost}>
    <${Head} agent=${agent} waiting=${waiting} path=${path} changed=${changed} />
    ${waiting.length === 0 ? null : html`<${WaitingList} items=${waiting} changed=${changed} />`}
    <${AgentFacts} agent=${agent} />
    <section aria-labelledby="state">
      <h2 id="state">State</h2>
      ${agentMachine === undefined ? null : html`<${Diagram} machine=${agentMachine} state=${agent.state} path=${pathOf("agent")} />`}
      <details>
        <summary>Run: ${agent.phase ?? "not started"}</summary>
        ${runMachine === undefined ? null : html`<${Diagram} machine=${runMachine} state=${agent.phase} path=${pathOf("run")} />`}
      </details>
    </section>
    <div class="halves">
      <section aria-labelledby="transcript">
        <h2 id="transcript">Transcript</h2>
        <${Transcript} entries=${entries} />
      </section>
      <section aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        <${Timeline} moves=${earliestFirst} />
        <${More} pages=${moves} what="transitions" />
      </section>
    </div>
    <section aria-labelledby="diff">
      <h2 id="diff">Diff</h2>
      <${DiffView} path=${path} />
    </section>
    <section aria-labelledby="decisions">
      <h2 id="decisions">Decisions</h2>
      <${DecisionList} decisions=${decisions.rows} />
      <${More} pages=${decisions} what="decisions" />
    </section>
    <section aria-labelledby="effects">
      <h2 id="effects">Effects</h2>
      <${EffectTable} effects=${effects.rows} changed=${changed} none="None yet." />
      <${More} pages=${effects} what="effects" />
    </section>
  <//>`;
}

/** Each operation's label, and whether the button asks for confirmation. */
const ACTS: Readonly<Record<AgentView["acts"][number], readonly [label: string, sure: boolean]>> = {
  pause: ["Pause", false],
  cancel: ["Cancel", true],
  retry: ["Start now", false],
  revive: ["New attempt", false],
};

function Head({
  agent,
  waiting,
  path,
  changed,
}: {
  readonly agent: AgentView;
  readonly waiting: readonly WaitingItem[];
  readonly path: string;
  readonly changed: () => void;
}) {
  const about = `${agent.role} on #${agent.issue}`;
  // An entry of the waiting list has its own Cancel button.
  const acts = agent.acts.filter(
    (act) => act !== "cancel" || !waiting.some((item) => item.acts.includes("kill")),
  );
  return html`<div class="head">
    <h1>
      ${agent.role} on <a href=${agent.issue_url}>${agent.repository}#${agent.issue}</a>
      ${agent.title === null ? null : html` <span class="title">${agent.title}</span>`}
    </h1>
    <p class="acts">
      ${acts.map((act) => {
        const [label, sure] = ACTS[act];
        return html`<${ActButton} key=${act} path=${`${path}/${act}`} about=${about} done=${changed} sure=${sure}>${label}<//>`;
      })}
    </p>
  </div>`;
}
