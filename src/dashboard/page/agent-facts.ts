import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type { AgentView } from "../api/agent-view.ts";
import { count, dollars, Moment, Since, span } from "./moments.ts";
import { Phase, State } from "./state-words.ts";
import { Words } from "./words.ts";

/** The facts about one agent. */
export function AgentFacts({ agent }: { readonly agent: AgentView }) {
  const { allowed } = agent;
  const alive = agent.last_activity_at;
  return html`<dl class="facts">
    <${Fact} name="State"><${State} state=${agent.state} /> for <${Since} at=${agent.since} /><//>
    <${Fact} name="Phase">${agent.phase === null ? "–" : html`<${Phase} phase=${agent.phase} />`}${agent.phase_since === null ? null : html` for <${Since} at=${agent.phase_since} />`}<//>
    <${Fact} name="Now">${nowOf(agent)}<//>
    <${Fact} name="Last activity">${alive === null ? "–" : html`<${Since} at=${alive} /> ago`}<//>
    <${Fact} name="Attempt">${agent.attempt}<//>
    <${Fact} name="Turns">${agent.turns} of ${allowed.turns}<//>
    <${Fact} name="Tool calls">${agent.tool_calls} of ${allowed.tool_calls}<//>
    <${Fact} name="Tokens">${count(agent.tokens)} of ${count(allowed.tokens)}<//>
    <${Fact} name="Cost">${dollars(agent.cost_usd)}${allowed.cost_usd === null ? "" : ` of ${dollars(allowed.cost_usd)}`}<//>
    <${Fact} name="Awake">${span(agent.active_seconds * 1000)}, ${agent.wakes} wakes<//>
    <${Fact} name="Runtime">${[agent.runtime, agent.runtime_version].filter((word) => word !== null).join(" ")}<//>
    <${Fact} name="Model">${agent.model ?? "–"}<//>
    <${Fact} name="Tools">${agent.tools === null ? "all of its role" : listOf(agent.tools)}<//>
    <${Fact} name="Temperature">${agent.temperature ?? "as its role"}<//>
    <${Fact} name="Branch">${agent.branch ?? "–"}<//>
    <${Fact} name="Pull request">
      ${agent.pull_url === null ? "–" : html`<a href=${agent.pull_url}>#${agent.pr}</a>`}
    <//>
    <${Fact} name="Ends at the latest">${agent.ends_at === null ? "no limit" : html`<${Moment} at=${agent.ends_at} />`}<//>
    <${Fact} name="Labels">${listOf(Object.entries(agent.labels).map((pair) => pair.join("=")))}<//>
    <${Fact} name="Tags">${listOf(agent.tags)}<//>
    <${Fact} name="Created for">${agent.parent === null ? "–" : html`<${Parent} agent=${agent.parent} />`}<//>
    <${Fact} name="Runs on">${agent.mode.replaceAll("_", "-")}, ${agent.node}<//>
  </dl>`;
}

function Fact({ name, children }: { readonly name: string; readonly children?: ComponentChildren }) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${children}</dd>
  </div>`;
}

/** Joins words so that a line can break between them, or within a word that is too long. */
function listOf(words: readonly string[]) {
  return words.length === 0 ? "–" : words.join(", ");
}

function Parent({ agent }: { readonly agent: string }) {
  return html`<a href=${`/agents/${encodeURIComponent(agent)}`}>${agent.replace(/^.*:/, "")}</a>`;
}

function nowOf(agent: AgentView) {
  const call =
    agent.tool === null
      ? "thinking"
      : html`<code>${agent.tool.name}</code> ${agent.tool.status} for <${Since} at=${agent.tool.since} />`;
  if (agent.state === "ACTIVE") return call;
  return html`<${Words} text=${agent.now} />${agent.tool === null ? null : html`; ${call}`}`;
}
