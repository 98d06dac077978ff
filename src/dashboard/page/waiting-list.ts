import { html } from "htm/preact";
import type { WaitingItem } from "../api/waiting.ts";
import { ActButton } from "./act-button.ts";
import { Since } from "./moments.ts";
import { Words } from "./words.ts";

const KINDS: Readonly<Record<WaitingItem["kind"], string>> = {
  escalation: "Escalated",
  question: "Question",
  approval: "Approval",
  plan: "Plan",
  limit: "Limit reached",
  turns: "Turn limit reached",
  review: "Review",
  merge: "Merge",
  rejected: "Changes requested",
  blocked: "Needs replanning",
  deadlock: "Rejected too many times",
  unmerged: "Cannot be merged",
  pause: "Paused",
  error: "Retrying",
};

/** Each operation's label and path, and whether the button asks for confirmation. */
const ACTS: Readonly<
  Record<WaitingItem["acts"][number], readonly [label: string, path: string, sure: boolean]>
> = {
  retry: ["Retry", "retry", false],
  resume: ["Resume", "resume", false],
  continue: ["Continue", "continue", false],
  complete: ["Complete", "complete", true],
  kill: ["Cancel", "cancel", true],
};

const ROUNDS = { name: "rounds", label: "Review rounds" };

/** The waiting list, oldest first: since when, what for, what to do, and where. */
export function WaitingList({
  items,
  changed,
}: {
  readonly items: readonly WaitingItem[];
  readonly changed: () => void;
}) {
  if (items.length === 0) return html`<p class="empty">Nothing is waiting for a person.</p>`;
  return html`<ol class="waiting">
    ${items.map((item) => html`<${Waiting} key=${`${item.kind} ${item.agent?.key ?? `${item.repository}#${item.issue}`} ${item.approval?.id ?? item.since}`} item=${item} changed=${changed} />`)}
  </ol>`;
}

function Waiting({ item, changed }: { readonly item: WaitingItem; readonly changed: () => void }) {
  const { agent, approval } = item;
  const key = agent?.key ?? item.coder ?? null;
  const about = key === null ? `#${item.issue}` : `${agent?.role ?? "its coder"} on #${item.issue}`;
  const page = key === null ? null : encodeURIComponent(key);
  return html`<li>
    <p class="kind">
      <strong>${KINDS[item.kind]}</strong> <span class="ago"><${Since} at=${item.since} /></span>
    </p>
    <p class="subject">
      <a href=${item.url}>${item.repository}#${item.issue}</a> ${item.title ?? ""}
    </p>
    <p class="what"><${Words} text=${item.what} /></p>
    ${approval === null ? null : html`<pre class="call" tabindex="0">${approval.input}</pre>`}
    <p class="next">
      <${Words} text=${item.next} /> ${page === null ? null : html`<a href=${`/agents/${page}`}>${about}</a>`}
    </p>
    <p class="acts">
      ${
        approval === null
          ? null
          : html`<${ActButton} path=${`/api/approvals/${approval.id}/approve`} about=${about} done=${changed}>Approve<//>
            <${ActButton} path=${`/api/approvals/${approval.id}/deny`} about=${about} done=${changed} sure=${true}>Deny<//>`
      }
      ${item.acts.map((act) => {
        const [label, path, sure] = ACTS[act];
        const number = act === "resume" && item.rounds === true ? ROUNDS : undefined;
        return html`<${ActButton} key=${act} path=${`/api/agents/${page}/${path}`} about=${about} sure=${sure} number=${number} done=${changed}>${label}<//>`;
      })}
    </p>
  </li>`;
}
