/// <reference lib="dom" />
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentEvidence } from "../api/agent-evidence.ts";
import type { AgentView } from "../api/agent-view.ts";
import type { EffectJson } from "../api/json.ts";
import type { WaitingItem } from "../api/waiting.ts";
import { AgentFacts } from "./agent-facts.ts";
import { AgentHead, nameOf } from "./agent-head.ts";
import type { Me } from "./ask.ts";
import { ContinueLocally } from "./continue-locally.ts";
import { type Decision, DecisionList, decisionsShown } from "./decision-list.ts";
import { DiffView } from "./diff-view.ts";
import { EffectTable } from "./effect-table.ts";
import { EvidenceList, hasEvidence } from "./evidence-list.ts";
import { Frame } from "./frame.ts";
import { type LiveEvent, type LostSince, useEvents, useRead, useVersion } from "./live.ts";
import { MessageForm } from "./message-form.ts";
import type { Move } from "./move-words.ts";
import { type Other, OtherAgents } from "./other-agents.ts";
import { More, usePages } from "./pages.ts";
import { Reading } from "./reading.ts";
import { ScreenList } from "./screen-list.ts";
import { History, StatePath, Transitions } from "./timeline.ts";
import { Transcript } from "./transcript.ts";
import { type Entry, folded } from "./transcript-fold.ts";
import { WaitingList } from "./waiting-list.ts";

interface Seen {
  readonly agent: AgentView;
  readonly waiting: readonly WaitingItem[];
  readonly others: readonly Other[];
}

/** One agent: what it does and asks, what came of its work, and last how it got there. */
export function AgentPage({ me, agent: key }: { readonly me: Me; readonly agent: string }) {
  const path = `/api/agents/${encodeURIComponent(key)}`;
  const [version, changed] = useVersion();
  const [lost, setLost] = useState<LostSince>(null);
  const { body: seen, refused } = useRead<Seen>(`${path}/view`, version);
  const title = `${key.replace(/^.*:/, "")} · Flotilla`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return html`<${Frame} me=${me} lost=${lost}>
    ${
      seen !== null
        ? html`<${Agent} seen=${seen} path=${path} version=${version} changed=${changed} setLost=${setLost} />`
        : refused?.status === 404
          ? html`<${NoAgent} agent=${key} />`
          : html`<h1>${nameOf({ key })}</h1><${Reading} refused=${refused} again=${changed} />`
    }
  <//>`;
}

/** Nobody can tell an agent that is not there from one that the viewer may not see. */
function NoAgent({ agent }: { readonly agent: string }) {
  return html`
    <h1>No such agent</h1>
    <p role="status">There is no agent <code>${agent}</code>, or you may not read its repository.</p>
    <p><a href="/work">See all agents</a></p>
  `;
}

/** What stands in place of a transcript without a line. */
function noTranscript({ ended_at, turns }: Seen["agent"]): string {
  if (ended_at === null) return "Nothing yet.";
  return turns > 0
    ? "Nothing is stored any more of what it said and did."
    : "It ended before its first turn.";
}

interface AgentProps {
  readonly seen: Seen;
  readonly path: string;
  readonly version: number;
  readonly changed: () => void;
  readonly setLost: (lost: LostSince) => void;
}

function Agent({ seen, path, version, changed, setLost }: AgentProps) {
  const { agent, waiting, others } = seen;
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const take = (event: LiveEvent): void => {
    setEntries((before) => folded(before, event));
    if (event.type !== "stream:token") changed();
  };
  const lost = useEvents(`/api/events?after=0&agent=${encodeURIComponent(agent.key)}`, take, changed);
  useEffect(() => setLost(lost), [lost]);
  const { body: evidence } = useRead<AgentEvidence>(`${path}/evidence`, version);
  const commits = entries.filter(
    (entry) => entry.kind === "tool" && entry.tool === "commit" && entry.output !== null,
  ).length;
  return html`
    <${AgentHead} agent=${agent} waiting=${waiting} path=${path} changed=${changed} />
    ${waiting.length === 0 ? null : html`<${Section} id="asked" title="What is asked of you"><${WaitingList} items=${waiting} changed=${changed} /><//>`}
    <${MessageForm} agent=${agent} changed=${changed} />
    ${
      agent.branch === null
        ? null
        : html`<${Section} id="changes" title="Changes">
          <${DiffView} path=${path} commits=${commits} />
          <${ContinueLocally} path=${path} />
        <//>`
    }
    ${
      agent.ended_at !== null && evidence !== null && !hasEvidence(evidence)
        ? null
        : html`<${Section} id="evidence" title="Evidence">
          ${evidence === null ? html`<p class="empty" role="status">Loading…</p>` : html`<${EvidenceList} evidence=${evidence} repository=${agent.issue_url.replace(/\/issues\/\d+$/, "")} />`}
        <//>`
    }
    <${ScreenList} screens=${evidence?.screens} path=${path} />
    <${Section} id="transcript" title="Transcript">
      <${Transcript} entries=${entries} agent=${nameOf(agent)} none=${noTranscript(agent)} />
    <//>
    <${Section} id="cost" title="Cost">
      <${AgentFacts} agent=${agent} />
    <//>
    ${others.length === 0 ? null : html`<${Section} id="others" title="Other agents of this issue"><${OtherAgents} others=${others} /><//>`}
    <${Moves} path=${path} version=${version} changed=${changed} agent=${agent} />
  `;
}

function Section({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${children}
  </section>`;
}

type MovesProps = Pick<AgentProps, "path" | "version" | "changed"> & { readonly agent: AgentView };

/** How the agent got where it is: its moves, decisions and effects, each folded. */
function Moves({ path, version, changed, agent }: MovesProps) {
  const moves = usePages<Move>(`${path}/transitions?order=latest&limit=500`, "transitions", { version });
  const decisions = usePages<Decision>(`${path}/decisions`, "decisions", { version });
  const effects = usePages<EffectJson>(`${path}/effects`, "effects", { version });
  const earliestFirst = moves.rows.toReversed();
  const failed = effects.rows.filter(({ state }) => state === "failed").length;
  return html`<${Section} id="history" title="How it got here">
    <${StatePath} moves=${earliestFirst} state=${agent.state} />
    <details>
      <summary>History</summary>
      <${History} moves=${earliestFirst} />
      ${
        moves.rows.length === 0
          ? null
          : html`<details>
        <summary>All ${moves.rows.length}${moves.more === null ? "" : "+"} transitions of its state machines</summary>
        <${Transitions} moves=${earliestFirst} />
      </details>`
      }
      <${More} pages=${moves} what="transitions" />
    </details>
    <details>
      <summary>Decisions (${decisionsShown(decisions.rows).length})</summary>
      <${DecisionList} decisions=${decisions.rows} />
      <${More} pages=${decisions} what="decisions" />
    </details>
    <details open=${failed > 0}>
      <summary>Actions on GitHub and git (${effects.rows.length}${effects.more === null ? "" : "+"}${failed === 0 ? "" : html`, <span class="error">${failed} failed</span>`})</summary>
      <${EffectTable} effects=${effects.rows} changed=${changed} none="None yet." />
      <${More} pages=${effects} what="actions" />
    </details>
  <//>`;
}
