import { html } from "htm/preact";
import type { WaitingItem } from "../waiting.ts";
import { ActButton } from "./act-button.ts";
import { Since } from "./moments.ts";

const KINDS: Readonly<Record<WaitingItem["kind"], string>> = {
  escalation: "Escalated",
  question: "Question",
  approval: "Approval",
  limit: "At a limit",
  review: "Review",
  pause: "Paused",
  error: "Tries again",
};

/** Who waits for a person, the oldest first: since when, what for, what to do, and where. */
export function WaitingList({
  items,
  changed,
}: {
  readonly items: readonly WaitingItem[];
  readonly changed: () => void;
}) {
  if (items.length === 0) return html`<p class="empty">Nobody waits for a person.</p>`;
  return html`<ol class="waiting">
    ${items.map((item) => html`<${Waiting} key=${`${item.agent.key}${item.approval?.id ?? ""}`} item=${item} changed=${changed} />`)}
  </ol>`;
}

function Waiting({ item, changed }: { readonly item: WaitingItem; readonly changed: () => void }) {
  const { agent, approval } = item;
  const about = `${agent.role} on #${agent.issue}`;
  const path = `/api/agents/${encodeURIComponent(agent.key)}`;
  return html`<li>
    <p class="kind">
      <strong>${KINDS[item.kind]}</strong> <span class="ago"><${Since} at=${item.since} /></span>
    </p>
    <p class="subject">
      <a href=${item.url}>${agent.repository}#${agent.issue}</a> ${agent.title ?? ""}
    </p>
    <p class="what">${item.what}</p>
    ${approval === null ? null : html`<pre class="call" tabindex="0">${approval.input}</pre>`}
    <p class="next">
      ${item.next.replaceAll("`", "")} <a href=${`/agents/${encodeURIComponent(agent.key)}`}>${about}</a>
    </p>
    <p class="acts">
      ${
        approval === null
          ? null
          : html`<${ActButton} path=${`/api/approvals/${approval.id}/approve`} about=${about} done=${changed}>Approve<//>
            <${ActButton} path=${`/api/approvals/${approval.id}/deny`} about=${about} done=${changed} sure=${true}>Deny<//>`
      }
      ${
        item.resume
          ? html`<${ActButton} path=${`${path}/resume`} about=${about} done=${changed}>Resume<//>`
          : null
      }
      ${
        item.kind === "error"
          ? html`<${ActButton} path=${`${path}/retry`} about=${about} done=${changed}>Retry<//>`
          : null
      }
    </p>
  </li>`;
}
