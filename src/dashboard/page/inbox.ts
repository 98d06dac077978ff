import { html } from "htm/preact";
import type { GoalJson } from "../api/goal-json.ts";
import type { WaitingItem } from "../api/waiting.ts";
import { Checkpoints } from "./checkpoints.ts";
import { More, type Pages } from "./pages.ts";
import { WaitingList } from "./waiting-list.ts";

interface InboxProps {
  readonly items: readonly WaitingItem[];
  /** What follows the items. */
  readonly more: Pages<unknown>;
  readonly goals: readonly GoalJson[];
  /** How many webhooks and effects have failed and can be tried again. */
  readonly failures: number;
  readonly changed: () => void;
}

/** All that awaits a person: goals at a checkpoint, what failed, and the waiting list. */
export function Inbox({ items, more, goals, failures, changed }: InboxProps) {
  const isElsewhere = failures > 0 || goals.some(({ state }) => state === "CHECKPOINT");
  return html`
    <${Checkpoints} goals=${goals} changed=${changed} />
    ${
      failures === 0
        ? null
        : html`<p class="notice"><a href="/failures">${failures === 1 ? "1 failure" : `${failures} failures`}</a> can be tried again.</p>`
    }
    ${items.length === 0 && isElsewhere ? null : html`<${WaitingList} items=${items} changed=${changed} />`}
    <${More} pages=${more} what="that is waiting for a person" />
  `;
}
