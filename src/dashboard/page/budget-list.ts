import { html } from "htm/preact";
import type { SpentBudget } from "../api/spent-budgets.ts";
import { dollars } from "./moments.ts";

/** The budgets that are spent, or nearly. */
export function BudgetList({ budgets }: { readonly budgets: readonly SpentBudget[] }) {
  if (budgets.length === 0) return null;
  return html`<section aria-labelledby="budgets">
    <h2 id="budgets">Budgets nearly spent</h2>
    <ul>
      ${budgets.map(
        ({ key, of, repositories, period, spent_usd: spent, allowed_usd: allowed, reached }) => html`<li
          key=${`${key} ${repositories[0] ?? ""}`}
        >
          ${of === "installation" ? `Installation with ${repositories.join(", ")}` : repositories[0]}: ${dollars(spent)} of
          ${" "}${dollars(allowed)} ${period === "day" ? "today" : "this month"}${reached ? `. Its agents wait until ${period === "day" ? "midnight" : "the first of next month"} (UTC), or until you raise ` : ". The limit is "}
          <code>${key}</code>
        </li>`,
      )}
    </ul>
  </section>`;
}
