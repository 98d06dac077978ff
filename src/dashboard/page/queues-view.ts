import { html } from "htm/preact";
import type { GoalJson } from "../api/goal-json.ts";
import type { EffectJson } from "../api/json.ts";
import type { WaitingItem } from "../api/waiting.ts";
import { ActButton } from "./act-button.ts";
import type { Me } from "./ask.ts";
import { EffectTable } from "./effect-table.ts";
import { Frame } from "./frame.ts";
import { Inbox } from "./inbox.ts";
import { useEvents, useVersion } from "./live.ts";
import { Since } from "./moments.ts";
import { More, usePages } from "./pages.ts";
import { Words } from "./words.ts";

interface Delivery {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly attempts: number;
  readonly note: string | null;
  readonly received_at: string;
}

/**
 * What does not continue by itself: entries of the waiting list, webhooks that could not be handled, and effects that
 * failed or are pending.
 */
export function QueuesView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const dead = usePages<Delivery>("/api/deliveries?state=dead", "deliveries", { version });
  const failed = usePages<EffectJson>("/api/effects?state=failed", "effects", { version });
  const pending = usePages<EffectJson>("/api/effects?state=pending", "effects", { version });
  const goals = usePages<GoalJson>("/api/goals", "goals", { version });
  const waiting = usePages<WaitingItem>("/api/waiting", "waiting", { version });
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Queues</h1>
    <section aria-labelledby="waiting">
      <h2 id="waiting">Waiting for a person</h2>
      <${Inbox} items=${waiting.rows} more=${waiting} goals=${goals.rows} failures=${0} changed=${changed} />
    </section>
    <section aria-labelledby="dead">
      <h2 id="dead">Webhooks that could not be handled</h2>
      <${Deliveries} deliveries=${dead.rows} changed=${changed} />
      <${More} pages=${dead} what="webhooks" />
    </section>
    <section aria-labelledby="failed">
      <h2 id="failed">Failed effects</h2>
      <${EffectTable} effects=${failed.rows} changed=${changed} none="No effect has failed." />
      <${More} pages=${failed} what="failed effects" />
    </section>
    <section aria-labelledby="pending">
      <h2 id="pending">Pending effects</h2>
      <${EffectTable} effects=${pending.rows} changed=${changed} none="No effect is pending." />
      <${More} pages=${pending} what="pending effects" />
    </section>
  <//>`;
}

function Deliveries({
  deliveries,
  changed,
}: {
  readonly deliveries: readonly Delivery[];
  readonly changed: () => void;
}) {
  if (deliveries.length === 0) return html`<p class="empty">Flotilla has handled every webhook.</p>`;
  return html`<table class="rows">
    <thead>
      <tr>
        <th scope="col">Webhook</th>
        <th scope="col">Received</th>
        <th scope="col" class="number">Attempts</th>
        <th scope="col">Reason</th>
        <th scope="col"><span class="unseen">Actions</span></th>
      </tr>
    </thead>
    <tbody>
      ${deliveries.map(
        ({ guid, event, action, attempts, note, received_at }) => html`<tr key=${guid}>
          <th scope="row">${event}${action === null ? "" : `.${action}`} <span class="of">${guid}</span></th>
          <td data-label="Received"><${Since} at=${received_at} /> ago</td>
          <td data-label="Attempts" class="number">${attempts}</td>
          <td data-label="Reason"><${Words} text=${note ?? "–"} /></td>
          <td>
            <${ActButton} path=${`/api/deliveries/${guid}/replay`} about=${`${event} ${guid}`} done=${changed}>Replay<//>
          </td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}
