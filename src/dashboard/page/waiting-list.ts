/// <reference lib="dom" />
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { WaitingItem } from "../api/waiting.ts";
import { ItemActs } from "./item-acts.ts";
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

/** The waiting list, oldest first: since when, what for, and what to do about it in place. */
export function WaitingList({
  items,
  changed,
}: {
  readonly items: readonly WaitingItem[];
  readonly changed: () => void;
}) {
  const keys = items.map(keyOf);
  const list = useFocusKept(keys);
  if (items.length === 0)
    return html`<p class="empty" ref=${list} tabindex="-1">Nothing is waiting for a person.</p>`;
  return html`<ol class="waiting" ref=${list}>
    ${items.map((item, index) => html`<${Waiting} key=${keys[index]} item=${item} changed=${changed} />`)}
  </ol>`;
}

function keyOf({ kind, agent, repository, issue, approval, question, since }: WaitingItem): string {
  const id = approval?.id ?? question?.id ?? since;
  return `${kind} ${agent?.key ?? `${repository}#${issue}`} ${id}`;
}

/**
 * Keeps the focus in the list: when the item that had it vanishes, the one that takes its place gets it, or the list's
 * empty text.
 */
function useFocusKept(keys: readonly string[]) {
  const list = useRef<HTMLElement>(null);
  const before = useRef<{ keys: readonly string[]; focused: number }>({ keys, focused: -1 });
  useLayoutEffect(() => {
    const { focused, keys: earlier } = before.current;
    const gone = focused >= 0 && !keys.includes(earlier[focused] ?? "");
    before.current = { keys, focused: gone ? -1 : keys.indexOf(earlier[focused] ?? "") };
    const { current } = list;
    if (!gone || current === null || document.activeElement !== document.body) return;
    const next = current.children[Math.min(focused, keys.length - 1)];
    (next instanceof HTMLElement ? next : current).focus();
  }, [keys.join("\n")]);
  useLayoutEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      const items = [...(list.current?.children ?? [])];
      const focused = items.findIndex((item) => target instanceof Node && item.contains(target));
      before.current = { ...before.current, focused };
    };
    document.addEventListener("focusin", note);
    return () => {
      document.removeEventListener("focusin", note);
      // The whole list vanishes with its last item where a page shows none.
      if (before.current.focused >= 0) document.getElementById("main")?.focus();
    };
  }, []);
  return list;
}

function Waiting({ item, changed }: { readonly item: WaitingItem; readonly changed: () => void }) {
  const { agent, approval } = item;
  const key = agent?.key ?? item.coder ?? null;
  const about =
    key === null
      ? `#${item.issue}`
      : `${agent === null ? "the coder of" : `${agent.role} on`} #${item.issue}`;
  const page = key === null ? null : encodeURIComponent(key);
  return html`<li tabindex="-1" aria-label=${`${KINDS[item.kind]}: ${item.repository}#${item.issue}`}>
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
    <${ItemActs} item=${item} about=${about} done=${changed} />
  </li>`;
}
