/// <reference lib="dom" />
import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { DeliveryJson, EffectJson } from "../api/json.ts";
import { ActButton } from "./act-button.ts";
import type { Me } from "./ask.ts";
import { EffectTable } from "./effect-table.ts";
import { Frame } from "./frame.ts";
import { useEvents, useVersion } from "./live.ts";
import { Since } from "./moments.ts";
import { Listed, More, usePages } from "./pages.ts";
import { Words } from "./words.ts";

/** What failed for good and can be tried again, each with its reason; then what Flotilla is still trying. */
export function FailuresView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const effects = usePages<EffectJson>("/api/effects?state=failed&of=others", "effects", { version });
  const webhooks = usePages<DeliveryJson>("/api/deliveries?state=dead", "deliveries", { version });
  const notices = usePages<EffectJson>("/api/effects?state=failed&of=notices", "effects", { version });
  const pending = usePages<EffectJson>("/api/effects?state=pending", "effects", { version });
  useEffect(() => {
    document.title = "Failures · Flotilla";
  }, []);
  const failedEffect = (effect: EffectJson) =>
    html`<${FailedEffect} key=${effect.id} effect=${effect} site=${me.site} changed=${changed} />`;
  return html`<${Frame} me=${me} lost=${lost}>
    <h1>Failures</h1>
    <p class="lead">What Flotilla has given up. When you retry something, it first checks whether that was carried out after all.</p>
    <section aria-labelledby="actions">
      <h2 id="actions">Actions on GitHub and git</h2>
      <${Listed} pages=${effects} none="No action has failed.">
        <ul class="failures">${effects.rows.map(failedEffect)}</ul>
      <//>
      <${More} pages=${effects} what="failed actions" />
    </section>
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks from GitHub</h2>
      <${Listed} pages=${webhooks} none="Flotilla has handled every webhook.">
        <ul class="failures">
          ${webhooks.rows.map((webhook) => html`<${FailedWebhook} key=${webhook.guid} webhook=${webhook} changed=${changed} />`)}
        </ul>
      <//>
      <${More} pages=${webhooks} what="failed webhooks" />
    </section>
    <section aria-labelledby="notices">
      <h2 id="notices">Notices to people</h2>
      <${Listed} pages=${notices} none="No notice has failed.">
        <ul class="failures">${notices.rows.map(failedEffect)}</ul>
      <//>
      <${More} pages=${notices} what="failed notices" />
    </section>
    <section aria-labelledby="pending">
      <h2 id="pending">Not done yet</h2>
      <${Listed} pages=${pending} none="Nothing is waiting to be done.">
        <${EffectTable} effects=${pending.rows} changed=${changed} none="Nothing is waiting to be done." />
      <//>
      <${More} pages=${pending} what="actions that are not done yet" />
    </section>
  <//>`;
}

interface FailedEffectProps {
  readonly effect: EffectJson;
  readonly site: string;
  readonly changed: () => void;
}

function FailedEffect({ effect, site, changed }: FailedEffectProps) {
  const { id, what, repository, issue, agent } = effect;
  const name = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  // What belongs to no issue, such as the opening of a schedule's, has the number 0.
  const place = issue === 0 ? repository : `${repository}#${issue}`;
  const href = issue === 0 ? `${site}/${repository}` : `${site}/${repository}/issues/${issue}`;
  const tried = effect.attempts + 1;
  return html`<${Failure}
    about=${`${name} for ${place}`}
    path=${`/api/effects/${id}/replay`}
    changed=${changed}
    at=${effect.settled_at ?? effect.created_at}
    tried=${tried}
    why=${effect.why}
    next=${effect.next}
    detail=${effect.error}
  >
    <strong><${Words} text=${name} /></strong> <a href=${href}>${place}</a>
    ${agent === null ? null : html` · <a href=${`/agents/${encodeURIComponent(agent)}`}>${agent.replace(/^.*:/, "")}</a>`}
  <//>`;
}

function FailedWebhook({
  webhook,
  changed,
}: {
  readonly webhook: DeliveryJson;
  readonly changed: () => void;
}) {
  const { guid, event, action } = webhook;
  const name = action === null ? event : `${event}.${action}`;
  return html`<${Failure}
    about=${`${name} ${guid}`}
    path=${`/api/deliveries/${guid}/replay`}
    changed=${changed}
    at=${webhook.settled_at ?? webhook.received_at}
    tried=${webhook.attempts + 1}
    why=${webhook.why}
    next=${webhook.next}
    detail=${webhook.note}
  >
    <strong>${name}</strong> <span class="of">delivery ${guid}</span>
  <//>`;
}

interface FailureProps {
  /** What failed, for people who cannot see where the button is. */
  readonly about: string;
  /** Where the retry is sent. */
  readonly path: string;
  readonly changed: () => void;
  readonly at: string;
  readonly tried: number;
  readonly why: string | null;
  readonly next: string | null;
  /** The error as it was said. */
  readonly detail: string | null;
  readonly children?: ComponentChildren;
}

function Failure({ about, path, changed, at, tried, why, next, detail, children }: FailureProps) {
  return html`<li>
    <p class="head small"><span>${children}</span> <span class="of"><${Since} at=${at} /> ago, after ${tried} ${tried === 1 ? "attempt" : "attempts"}</span></p>
    <p><${Words} text=${sentence(why ?? "no reason was kept")} /></p>
    ${next === null ? null : html`<p class="next"><${Words} text=${sentence(next)} /></p>`}
    ${detail === null ? null : html`<details><summary>Error message</summary><pre tabindex="0">${detail}</pre></details>`}
    <p class="acts"><${ActButton} path=${path} about=${about} done=${changed}>Retry<//></p>
  </li>`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}
