import { html } from "htm/preact";
import type { EffectJson } from "../api/json.ts";
import { ActButton } from "./act-button.ts";
import type { Me } from "./ask.ts";
import { EffectTable } from "./effect-table.ts";
import { Frame } from "./frame.ts";
import { useEvents, useVersion } from "./live.ts";
import { Since } from "./moments.ts";
import { Loaded, More, usePages } from "./pages.ts";
import { Words } from "./words.ts";

interface Delivery {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly attempts: number;
  readonly note: string | null;
  readonly received_at: string;
}

/** What failed and does not continue by itself: webhooks and actions; then the actions that are still pending. */
export function FailuresView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const dead = usePages<Delivery>("/api/deliveries?state=dead", "deliveries", { version });
  const failed = usePages<EffectJson>("/api/effects?state=failed", "effects", { version });
  const pending = usePages<EffectJson>("/api/effects?state=pending", "effects", { version });
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Failures</h1>
    <section aria-labelledby="dead">
      <h2 id="dead">Webhooks that could not be handled</h2>
      <${Loaded} lists=${[dead]}><${Deliveries} deliveries=${dead.rows} changed=${changed} /><//>
      <${More} pages=${dead} what="webhooks" />
    </section>
    <section aria-labelledby="failed">
      <h2 id="failed">Failed actions on GitHub and git</h2>
      <${Loaded} lists=${[failed]}><${EffectTable} effects=${failed.rows} changed=${changed} none="No action has failed." /><//>
      <${More} pages=${failed} what="failed actions" />
    </section>
    <section aria-labelledby="pending">
      <h2 id="pending">Pending actions</h2>
      <${Loaded} lists=${[pending]}><${EffectTable} effects=${pending.rows} changed=${changed} none="No action is pending." /><//>
      <${More} pages=${pending} what="pending actions" />
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
