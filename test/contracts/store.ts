import { describe, expect, test } from "vitest";
import type { Store } from "../../src/domain/ports/store.ts";
import { approvalContract } from "./store/approvals.ts";
import { archiveContract } from "./store/archives.ts";
import { auditContract } from "./store/audit.ts";
import { blockersContract } from "./store/blockers.ts";
import { CalledMethods } from "./store/called.ts";
import { checkedWorkContract } from "./store/checked-work.ts";
import { exceptContract } from "./store/claims-except.ts";
import { dayBudgetContract } from "./store/day-budget.ts";
import { deliveryContract } from "./store/deliveries.ts";
import { effectContract } from "./store/effects.ts";
import { overtakingContract } from "./store/effects-overtaking.ts";
import { guardContract } from "./store/guards.ts";
import { historyContract } from "./store/history.ts";
import { keptContract } from "./store/kept.ts";
import { leaseContract } from "./store/leases.ts";
import { ledgerContract } from "./store/ledger.ts";
import { listContract } from "./store/lists.ts";
import { loneOpeningContract } from "./store/lone-openings.ts";
import { nodeContract } from "./store/nodes.ts";
import { othersRowsContract } from "./store/others-rows.ts";
import { personsActContract } from "./store/persons-acts.ts";
import { planContract } from "./store/plans.ts";
import { providerParkContract } from "./store/provider-parks.ts";
import { questionContract } from "./store/questions.ts";
import { recordPageContract } from "./store/record-pages.ts";
import { recordContract } from "./store/records.ts";
import { scopePauseContract } from "./store/scope-pauses.ts";
import { settingsContract } from "./store/settings.ts";
import { sweepContract } from "./store/sweeps.ts";
import { tokenRequestContract } from "./store/token-requests.ts";
import { transactionContract } from "./store/transactions.ts";
import { verdictContract } from "./store/verdicts.ts";
import { wakeContract } from "./store/wakes.ts";
import { writtenAndReadContract } from "./store/written-and-read.ts";

/** Opens an empty store; what it leaves behind is the caller's to remove. */
export type OpenEmpty = () => Promise<Store>;

/** What every implementation of the port `Store` does. */
export function storeContract(name: string, openEmpty: OpenEmpty): void {
  describe(`a store (${name})`, () => {
    const called = new CalledMethods();
    const open: OpenEmpty = async () => called.of(await openEmpty());
    recordContract(open);
    recordPageContract(open);
    effectContract(open);
    overtakingContract(open);
    leaseContract(open);
    deliveryContract(open);
    exceptContract(open);
    wakeContract(open);
    historyContract(open);
    guardContract(open);
    scopePauseContract(open);
    dayBudgetContract(open);
    loneOpeningContract(open);
    providerParkContract(open);
    approvalContract(open);
    questionContract(open);
    verdictContract(open);
    sweepContract(open);
    tokenRequestContract(open);
    nodeContract(open);
    blockersContract(open);
    archiveContract(open);
    ledgerContract(open);
    auditContract(open);
    checkedWorkContract(open);
    keptContract(open);
    listContract(open);
    personsActContract(open);
    planContract(open);
    othersRowsContract(open);
    settingsContract(open);
    transactionContract(open);
    writtenAndReadContract(open);

    test("does all that the port says: these tests call every method of every table", () => {
      expect(called.uncalled()).toEqual([]);
    });
  });
}
