import { html } from "htm/preact";
import type { AgentView } from "../api/agent-view.ts";
import { count, dollars, Since } from "./moments.ts";
import { Phase, phaseBeside, State } from "./state-words.ts";
import { Words } from "./words.ts";

/** Working agents first, then waiting ones, then ended ones. */
const ORDER = ["ACTIVE", "ESCALATED", "CREATED", "SLEEPING", "COMPLETED", "FAILED", "CANCELLED"];

interface AgentTableProps {
  readonly agents: readonly AgentView[];
  /** Keeps their order, and shows their age and repository as well. */
  readonly inOrder?: boolean;
}

/** The table of agents: role, issue, state, activity, and used budget. */
export function AgentTable({ agents, inOrder = false }: AgentTableProps) {
  if (agents.length === 0)
    return html`<p class="empty">No live agents, and none ended in the last 24 hours. Label an issue, or comment <code>/flotilla start</code> on it.</p>`;
  const sorted = inOrder
    ? agents
    : agents.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  return html`<table class="agents">
    <thead>
      <tr>
        <th scope="col">Agent</th>
        <th scope="col">State</th>
        <th scope="col">For</th>
        <th scope="col">Now</th>
        <th scope="col" class="number">Turns</th>
        <th scope="col" class="number">Tokens</th>
        <th scope="col" class="number">Cost</th>
        <th scope="col">Last activity</th>
        ${inOrder ? html`<th scope="col">Age</th>` : null}
      </tr>
    </thead>
    <tbody>
      ${sorted.map((agent) => html`<${Row} key=${agent.key} agent=${agent} isFull=${inOrder} />`)}
    </tbody>
  </table>`;
}

function Row({ agent, isFull }: { readonly agent: AgentView; readonly isFull: boolean }) {
  const { allowed, active_since } = agent;
  const alive = agent.last_activity_at ?? active_since;
  const phase = phaseBeside(agent.state, agent.phase);
  return html`<tr class=${agent.ended_at === null ? "" : "over"}>
    <th scope="row">
      <a href=${`/agents/${encodeURIComponent(agent.key)}`}>${agent.role} #${agent.issue}</a>
      ${agent.pull_url === null ? null : html` <a class="pull" href=${agent.pull_url}><span class="unseen">pull request </span>PR #${agent.pr}</a>`}
      <span class="of">${agent.title ?? agent.repository}</span>
      ${isFull && agent.title !== null ? html`<span class="of"><a href=${`/repositories/${agent.repository}`}>${agent.repository}</a></span>` : null}
    </th>
    <td data-label="State">
      <${State} state=${agent.state} /> ${phase === null ? null : html`<${Phase} phase=${phase} />`}
    </td>
    <td data-label="For"><${Since} at=${agent.since} /></td>
    <td data-label="Now" class="now">${nowOf(agent)}</td>
    <td data-label="Turns" class="number">${agent.turns}<span class="of"> of ${allowed.turns}</span></td>
    <td data-label="Tokens" class="number">${count(agent.tokens)}</td>
    <td data-label="Cost" class="number">
      ${dollars(agent.cost_usd)}${
        allowed.cost_usd === null
          ? null
          : html`<span class="of"> of ${dollars(allowed.cost_usd)}</span>
            <${Bar} part=${agent.cost_usd / allowed.cost_usd} />`
      }
    </td>
    <td data-label="Last activity" class=${agent.state === "ACTIVE" ? "" : "none"}>
      ${agent.state === "ACTIVE" && alive !== null ? html`<${Since} at=${alive} /> ago` : "–"}
    </td>
    ${isFull ? html`<td data-label="Age"><${Since} at=${agent.created_at} /></td>` : null}
  </tr>`;
}

function nowOf(agent: AgentView) {
  if (agent.state === "ACTIVE") {
    if (agent.tool === null) return "thinking";
    const pending = agent.tool.status === "pending" ? "pending " : "";
    return html`<code>${agent.tool.name}</code> ${pending}<${Since} at=${agent.tool.since} />`;
  }
  return html`<span class="clamped"><${Words} text=${agent.now} /></span>`;
}

/** A bar that shows how much is used. The number beside it says the same. */
function Bar({ part }: { readonly part: number }) {
  const width = Math.max(0, Math.min(1, part)) * 100;
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="4" class="whole" />
    <rect width=${width} height="4" class=${part > 0.8 ? "much" : "part"} />
  </svg>`;
}
