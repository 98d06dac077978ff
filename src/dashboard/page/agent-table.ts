import { html } from "htm/preact";
import type { AgentView } from "../api/agent-view.ts";
import { count, dollars, Since } from "./moments.ts";
import { Phase, State } from "./state-words.ts";
import { Words } from "./words.ts";

/** Those that work first, then those that wait, then those that ended. */
const ORDER = ["ACTIVE", "ESCALATED", "CREATED", "SLEEPING", "COMPLETED", "FAILED", "CANCELLED"];

/** What runs: who, on what, in which state and for how long, with what, and how much of its budget it used. */
export function AgentTable({ agents }: { readonly agents: readonly AgentView[] }) {
  if (agents.length === 0)
    return html`<p class="empty">No live agents, and none ended in the last 24 hours. Label an issue, or comment <code>/flotilla start</code> on it.</p>`;
  const sorted = agents.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
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
      </tr>
    </thead>
    <tbody>
      ${sorted.map((agent) => html`<${Row} key=${agent.key} agent=${agent} />`)}
    </tbody>
  </table>`;
}

function Row({ agent }: { readonly agent: AgentView }) {
  const { allowed, active_since } = agent;
  const alive = agent.last_activity_at ?? active_since;
  return html`<tr class=${agent.ended_at === null ? "" : "over"}>
    <th scope="row">
      <a href=${`/agents/${encodeURIComponent(agent.key)}`}>${agent.role} #${agent.issue}</a>
      <span class="of">${agent.title ?? agent.repository}</span>
    </th>
    <td data-label="State">
      <${State} state=${agent.state} /> ${agent.phase === null ? null : html`<${Phase} phase=${agent.phase} />`}
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
    <td data-label="Last activity">
      ${agent.state === "ACTIVE" && alive !== null ? html`<${Since} at=${alive} /> ago` : "–"}
    </td>
  </tr>`;
}

function nowOf(agent: AgentView) {
  if (agent.tool !== null) return html`<code>${agent.tool.name}</code> <${Since} at=${agent.tool.since} />`;
  if (agent.state === "ACTIVE") return "thinking";
  return html`<span class="clamped"><${Words} text=${agent.now} /></span>`;
}

/** How much of a whole is used; what it shows stands beside it in figures. */
function Bar({ part }: { readonly part: number }) {
  const width = Math.max(0, Math.min(1, part)) * 100;
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="4" class="whole" />
    <rect width=${width} height="4" class=${part > 0.8 ? "much" : "part"} />
  </svg>`;
}
