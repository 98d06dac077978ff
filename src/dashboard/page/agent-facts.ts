import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type { AgentView } from "../api/agent-view.ts";
import { Bar } from "./bar.ts";
import { count, dollars, Moment, Since, span } from "./moments.ts";

/** What the agent has used of what it may use, what it runs as, and how it was set up. */
export function AgentFacts({ agent }: { readonly agent: AgentView }) {
  const { allowed } = agent;
  return html`
    <dl class="budgets">
      <${Budget} name="Cost" used=${agent.cost_usd} of=${allowed.cost_usd} words=${dollars} />
      <${Budget} name="Tokens" used=${agent.tokens} of=${allowed.tokens} words=${count} />
      <${Budget} name="Turns" used=${agent.turns} of=${allowed.turns} words=${count} />
      <${Budget} name="Tool calls" used=${agent.tool_calls} of=${allowed.tool_calls} words=${count} />
    </dl>
    <dl class="facts">
      <${Fact} name="Model">${agent.model ?? "not chosen yet"}<//>
      <${Fact} name="Runtime">${[agent.runtime, agent.runtime_version].filter((word) => word !== null).join(" ")}<//>
      <${Fact} name="At work">${span(agent.active_seconds * 1000)}<//>
      ${agent.wakes === 0 ? null : html`<${Fact} name="Automatic wake-ups">${agent.wakes}<//>`}
      ${agent.last_activity_at === null ? null : html`<${Fact} name="Last activity"><${Since} at=${agent.last_activity_at} /> ago<//>`}
      <${Fact} name="Created"><${Moment} at=${agent.created_at ?? ""} /><//>
      ${agent.ends_at === null ? null : html`<${Fact} name="Ends at the latest"><${Moment} at=${agent.ends_at} /><//>`}
      ${agent.tools === null ? null : html`<${Fact} name="Tools">${listOf(agent.tools)}<//>`}
      ${agent.temperature === null ? null : html`<${Fact} name="Temperature">${agent.temperature}<//>`}
      ${agent.tags.length === 0 ? null : html`<${Fact} name="Tags">${listOf(agent.tags)}<//>`}
      ${Object.keys(agent.labels).length === 0 ? null : html`<${Fact} name="Labels">${listOf(Object.entries(agent.labels).map((pair) => pair.join("=")))}<//>`}
      ${agent.parent === null ? null : html`<${Fact} name="Created for"><${Parent} agent=${agent.parent} /><//>`}
      <${Fact} name="Runs on">${agent.node}${agent.mode === "one_shot" ? ", once" : ""}<//>
    </dl>
  `;
}

interface BudgetProps {
  readonly name: string;
  readonly used: number;
  /** Null where there is no limit. */
  readonly of: number | null;
  readonly words: (amount: number) => string;
}

function Budget({ name, used, of, words }: BudgetProps) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${words(used)}${of === null ? null : html`<span class="of"> of ${words(of)}</span> <${Bar} part=${used / of} />`}</dd>
  </div>`;
}

function Fact({ name, children }: { readonly name: string; readonly children?: ComponentChildren }) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${children}</dd>
  </div>`;
}

/** Joins words so that a line can break between them, or within a word that is too long. */
function listOf(words: readonly string[]) {
  return words.length === 0 ? "none" : words.join(", ");
}

function Parent({ agent }: { readonly agent: string }) {
  return html`<a href=${`/agents/${encodeURIComponent(agent)}`}>${agent.replace(/^.*:/, "")}</a>`;
}
