/// <reference lib="dom" />
import { html } from "htm/preact";
import type { Figures } from "../api/figures.ts";
import { Figure } from "./figure.ts";
import { count, dollars, span } from "./moments.ts";
import { Plot } from "./plot.ts";
import { plainly } from "./state-words.ts";

const SPANS = [
  ["day", "30 days"],
  ["week", "13 weeks"],
] as const;

const whole = (value: number): string => String(value);
const hours = (value: number): string => `${value.toFixed(1)} h`;

/** The results of a repository or goal over time, from the ledger: throughput, cost, and time by state. */
export function ScopeFigures({ figures, isGoal }: { readonly figures: Figures; readonly isGoal: boolean }) {
  const { per, total } = figures;
  const of = per === "day" ? "Day (UTC)" : "Week starting (UTC)";
  const inWords = figures.hours_in_state.map(({ key, value }) => ({ key: plainly(key), value }));
  const plots = [
    { title: "Merged", bars: figures.merged, written: whole, keys: of },
    { title: "Failed or cancelled", bars: figures.given_up, written: whole, keys: of },
    { title: "Cost", bars: figures.cost_usd, written: dollars, keys: of },
    ...(isGoal
      ? [{ title: "Cost by issue", bars: figures.cost_by_issue_usd, written: dollars, keys: "Issue" }]
      : []),
    { title: "Time in state", bars: inWords, written: hours, keys: "State" },
  ];
  const none = plots.filter(({ bars }) => bars.every(({ value }) => value === 0));
  const drawn = plots.filter((plot) => !none.includes(plot));
  return html`<section aria-labelledby="figures">
    <div class="head small">
      <h2 id="figures">The last ${SPANS.find(([name]) => name === per)?.[1]}</h2>
      <nav class="spans" aria-label="Period">
        ${SPANS.map(
          ([name, words]) =>
            html`<a key=${name} href=${`?per=${name}`} aria-current=${name === per ? "page" : undefined}>${words}</a>`,
        )}
      </nav>
    </div>
    <dl class="figures">
      <${Figure} name=${`merged of ${total.finished} finished`}>${total.merged}<//>
      <${Figure} name="spent">${dollars(total.cost_usd)}<//>
      <${Figure} name="per merged task">${total.cost_per_merged_usd === null ? "–" : dollars(total.cost_per_merged_usd)}<//>
      <${Figure} name="reverted" tone=${total.reverted > 0 ? "bad" : ""}>${total.reverted}<//>
      <${Figure} name="touches by people">${total.touches}<//>
      <${Figure} name="time awake">${span(total.wall_seconds * 1000)}<//>
      <${Figure} name="tokens">${count(total.tokens_in + total.tokens_out)}<//>
    </dl>
    ${
      drawn.length === 0
        ? null
        : html`<div class="plots">
          ${drawn.map(({ title, bars, written, keys }) => html`<${Plot} key=${title} title=${title} bars=${bars} written=${written} of=${keys} />`)}
        </div>`
    }
    ${none.length === 0 ? null : html`<p class="of">None in this time: ${none.map(({ title }) => title.toLowerCase()).join(", ")}.</p>`}
  </section>`;
}
