import { html } from "htm/preact";
import type { AgentView } from "../api/agent-view.ts";
import type { WaitingItem } from "../api/waiting.ts";
import { ActButton } from "./act-button.ts";
import { Since } from "./moments.ts";
import { toneOf } from "./state-words.ts";
import { callLine, verbOf, withoutWorktree } from "./transcript-line.ts";
import { Words } from "./words.ts";

/** Each operation's label, and whether the button asks for confirmation. */
const ACTS: Readonly<Record<AgentView["acts"][number], readonly [label: string, sure: boolean]>> = {
  pause: ["Pause", false],
  cancel: ["Cancel", true],
  retry: ["Start now", false],
  revive: ["New attempt", false],
};

interface AgentHeadProps {
  readonly agent: AgentView;
  readonly waiting: readonly WaitingItem[];
  /** The agent's path in the API. */
  readonly path: string;
  readonly changed: () => void;
}

/** Who the agent is, how it stands in plain words, what it does at this moment, and what a person can do. */
export function AgentHead({ agent, waiting, path, changed }: AgentHeadProps) {
  const about = `${agent.role} on #${agent.issue}`;
  // An entry of the waiting list has its own Cancel button.
  const acts = agent.acts.filter(
    (act) => act !== "cancel" || !waiting.some((item) => item.acts.includes("kill")),
  );
  return html`
    <div class="head">
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
    </div>
    <p class="headline" role="status">
      <span class=${`state ${waiting.length > 0 ? "warn" : toneOf(agent.state)}`}>${agent.headline}</span>
    </p>
    <${Now} agent=${agent} isAsked=${waiting.length > 0} />
    <p class="of about">
      ${agent.ended_at === null ? html`For <${Since} at=${agent.since} />` : html`Ended <${Since} at=${agent.ended_at} /> ago`}${agent.attempt > 1 ? `, attempt ${agent.attempt}` : ""}${
        agent.pull_url === null ? null : html`, <a href=${agent.pull_url}>pull request #${agent.pr}</a>`
      }${agent.branch === null ? null : html`, branch <code>${agent.branch}</code>`}
    </p>
  `;
}

/** What happens now, and what a person can do unless the waiting list below says it. */
function Now({ agent, isAsked }: { readonly agent: AgentView; readonly isAsked: boolean }) {
  if (agent.state === "ACTIVE" && agent.tool === null && agent.now === "is being checked") return null;
  if (agent.state === "ACTIVE")
    return html`<p class="now">${agent.tool === null ? html`<${Words} text=${atWork(agent.now)} />` : html`<${CallNow} agent=${agent} tool=${agent.tool} />`}</p>`;
  const call = agent.tool === null ? null : html` <${CallNow} agent=${agent} tool=${agent.tool} />`;
  const now = isAsked && isLive(agent) ? null : html`<${Words} text=${sentence(agent.now)} />`;
  const next =
    isAsked || nothingToDo(agent.next)
      ? null
      : html` <span class="of"><${Words} text=${sentence(agent.next)} /></span>`;
  return now === null && call === null && next === null
    ? null
    : html`<p class="now">${now}${call}${next}</p>`;
}

type ToolNow = NonNullable<AgentView["tool"]>;

/** The call that runs or is pending. */
function CallNow({ agent, tool }: { readonly agent: AgentView; readonly tool: ToolNow }) {
  const line = callLine(tool.name, withoutWorktree(tool.input, nameOf(agent)));
  const verb = verbOf(line, tool.status);
  return html`${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${line.code === "" ? clipped(line.words) : html`<code>${clipped(line.code)}</code>`}${tool.status === "pending" ? ", pending" : ""} for <${Since} at=${tool.since} />`;
}

export function nameOf({ key }: Pick<AgentView, "key">): string {
  return key.replace(/^.*:/, "");
}

function isLive({ ended_at }: AgentView): boolean {
  return ended_at === null;
}

function nothingToDo(next: string): boolean {
  return next === "nothing: its work is done";
}

/** Says what a working agent does between two calls; `now` is its phase, or the command that Flotilla runs for it. */
function atWork(now: string): string {
  if (now === "does the work") return "The model is thinking.";
  return sentence(/^(?:plans|fixes what)/.test(now) ? `it ${now}: the model is thinking` : `it ${now}`);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

function clipped(text: string): string {
  return text.length > 140 ? `${text.slice(0, 140)}…` : text;
}
