/// <reference lib="dom" />
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import type { Costs } from "../api/costs.ts";
import type { Me } from "./ask.ts";
import { Bar } from "./bar.ts";
import { Figure } from "./figure.ts";
import { Frame } from "./frame.ts";
import { useEvents, useRead, useVersion } from "./live.ts";
import { count, dollars } from "./moments.ts";
import { Plot } from "./plot.ts";
import { Reading } from "./reading.ts";

type Line = Costs["by_role"][number];
type Budget = Costs["budgets"][number];

/** Days that can be looked back on. */
const SPANS = [7, 30, 90] as const;
const USUAL = 30;

/** What the work cost, by day, repository, role and model, against the budgets that limit it. */
export function CostsView({ me }: { readonly me: Me }) {
  const [version, changed] = useVersion();
  const lost = useEvents("/api/events", changed, changed);
  const asked = Number(new URLSearchParams(location.search).get("days"));
  const days = SPANS.find((span) => span === asked) ?? USUAL;
  const { body, refused } = useRead<Costs>(`/api/costs?days=${days}`, version);
  useEffect(() => {
    document.title = "Costs · Flotilla";
  }, []);
  return html`<${Frame} me=${me} lost=${lost}>
    <div class="head">
      <h1>Costs</h1>
      <nav class="spans" aria-label="Period">
        ${SPANS.map(
          (span) =>
            html`<a key=${span} href=${span === USUAL ? "/costs" : `/costs?days=${span}`} aria-current=${span === days ? "page" : undefined}>${span} days</a>`,
        )}
      </nav>
    </div>
    ${body === null ? html`<${Reading} refused=${refused} again=${changed} />` : html`<${Seen} costs=${body} />`}
  <//>`;
}

function Seen({ costs }: { readonly costs: Costs }) {
  const { total, days, by_day: byDay } = costs;
  const perMerged = total.cost_per_merged_usd;
  return html`
    <p class="lead">What model calls cost, in the repositories that you can see, at the prices of <code>runtime.prices</code>. Days are those of UTC.</p>
    <dl class="figures">
      <${Figure} name="spent today">${dollars(costs.today_usd)}<//>
      <${Figure} name=${`spent in ${days} days`}>${dollars(total.cost_usd)}<//>
      <${Figure} name="per merged task">${perMerged === null ? "–" : dollars(perMerged)}<//>
      <${Figure} name="tokens">${count(total.tokens_in + total.tokens_out)}<//>
    </dl>
    <section aria-labelledby="budgets">
      <h2 id="budgets">Budgets</h2>
      <${Budgets} budgets=${[...costs.budgets, ...costs.repository_days]} />
    </section>
    <section aria-labelledby="days">
      <h2 id="days">Spent by day</h2>
      ${
        total.cost_usd === 0
          ? html`<p class="empty">Nothing was spent in this time. A model without a price in <code>runtime.prices</code> counts as free.</p>`
          : html`<div class="plots"><${Plot} title="Cost" bars=${byDay} written=${dollars} of="Day (UTC)" /></div>`
      }
    </section>
    <${Lines} id="repositories" title="By repository" of="Repository" lines=${costs.by_repository} whole=${total.cost_usd} isPlace=${true} />
    ${costs.more_repositories === 0 ? null : html`<p class="of">and ${costs.more_repositories} more that cost less</p>`}
    <${Lines} id="roles" title="By role" of="Role" lines=${costs.by_role} whole=${total.cost_usd} />
    <${Lines} id="models" title="By model" of="Model" lines=${costs.by_model} whole=${total.cost_usd} />
  `;
}

/** Each budget with what is spent and reserved of it. */
function Budgets({ budgets }: { readonly budgets: readonly Budget[] }) {
  if (budgets.length === 0) return html`<p class="empty">Nothing is spent or reserved of a budget today.</p>`;
  return html`<table class="rows costs">
    <thead>
      <tr>
        <th scope="col">Budget</th>
        <th scope="col" class="number">Spent</th>
        <th scope="col" class="number">Reserved</th>
        <th scope="col" class="number">Limit</th>
      </tr>
    </thead>
    <tbody>
      ${budgets.map((budget) => html`<${BudgetRow} key=${`${budget.key} ${budget.repositories[0] ?? ""}`} budget=${budget} />`)}
    </tbody>
  </table>
  <p class="of">Reserved is the most that the next model calls of working agents can cost. Nothing more begins once spent and reserved reach the limit.</p>`;
}

function BudgetRow({ budget }: { readonly budget: Budget }) {
  const { key, of, repositories, period, reached } = budget;
  const when = period === "day" ? "today" : "this month";
  const ends = period === "day" ? "midnight UTC" : "the first of next month (UTC)";
  return html`<tr>
    <th scope="row">
      ${of === "installation" ? `Installation with ${repositories.join(", ")}` : html`<a href=${`/repositories/${repositories[0] ?? ""}`}>${repositories[0]}</a>`}, ${when}
      <span class="of"><code>${key}</code></span>
      ${reached ? html`<span class="of"><span class="state bad">reached</span> Agents wait until ${ends}.</span>` : null}
    </th>
    <td data-label="Spent" class="number">${dollars(budget.spent_usd)}</td>
    <td data-label="Reserved" class="number">${dollars(budget.reserved_usd)}</td>
    <td data-label="Limit" class="number">${dollars(budget.allowed_usd)} <${Bar} part=${(budget.spent_usd + budget.reserved_usd) / budget.allowed_usd} /></td>
  </tr>`;
}

interface LinesProps {
  readonly id: string;
  readonly title: string;
  /** What a line is about. */
  readonly of: string;
  readonly lines: readonly Line[];
  readonly whole: number;
  /** True if a line is about a repository. */
  readonly isPlace?: boolean;
}

function Lines({ id, title, of, lines, whole, isPlace = false }: LinesProps) {
  if (lines.length === 0) return null;
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    <table class="rows costs">
      <thead>
        <tr>
          <th scope="col">${of}</th>
          <th scope="col" class="number">Cost</th>
          <th scope="col" class="number">Share</th>
          <th scope="col" class="number">Agents</th>
          <th scope="col" class="number">Tokens</th>
          <th scope="col" class="number">Merged</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({
            key,
            cost_usd: cost,
            runs,
            tokens_in: tokensIn,
            tokens_out: tokensOut,
            merged,
          }) => html`<tr key=${key}>
            <th scope="row">${isPlace ? html`<a href=${`/repositories/${key}`}>${key}</a>` : key}</th>
            <td data-label="Cost" class="number">${dollars(cost)}</td>
            <td data-label="Share" class="number">${whole === 0 ? "–" : `${((cost / whole) * 100).toFixed(0)} %`}</td>
            <td data-label="Agents" class="number">${runs}</td>
            <td data-label="Tokens" class="number">${count(tokensIn + tokensOut)}</td>
            <td data-label="Merged" class="number">${merged}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
