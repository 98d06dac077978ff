import { expect, it } from "vitest";
import { LEDGER_KEYS, type LedgerLine, ledger, ledgerTotal } from "../../../src/domain/reporting/ledger.ts";
import { ledgerRows } from "../../adapters/store/ledger-rows.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { approvedWork } from "../merge-queue-rig.ts";
import { base, labeled, pullClosed, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { edit, on, slowly, work } from "../scripts.ts";

const MERGED = "c".repeat(40);
const prices = new Map([["gpt-4.1", { input: 2_000_003, cached: 500_000, output: 8_000_000 }]]);

async function lines(rig: Rig, by: (typeof LEDGER_KEYS)[number]): Promise<readonly LedgerLine[]> {
  const names = new Map([[7, "acme/shop"]]);
  return ledger(await ledgerRows(rig.store, 0), by, { from: 0, to: rig.clock.now(), names });
}

it("has what the agents' own counters have, whatever it is summed by", async () => {
  const rig = await aRig({
    settings: { runtime: { ...someSettings().runtime, prices } },
    script: [on(1, slowly(90_000, edit()), ...work.slice(1)), on(2, ...work)],
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("the first thinks", () => rig.runtime.requests.length > 0);
  await rig.work(90_000);
  await rig.idle();
  const agents = await rig.store.records.find("agent", {});
  const sum = (of: "costMicroUsd" | "tokens" | "activeMs") => agents.reduce((so, agent) => so + agent[of], 0);
  expect(sum("costMicroUsd")).toBeGreaterThan(0);
  expect(sum("activeMs")).toBeGreaterThanOrEqual(90_000);
  for (const by of LEDGER_KEYS) {
    const total = ledgerTotal(await lines(rig, by));
    expect(total.costMicroUsd).toBe(sum("costMicroUsd"));
    expect(total.tokensIn + total.tokensOut).toBe(sum("tokens"));
    expect(total.wallMs).toBe(sum("activeMs"));
  }
  expect(ledgerTotal(await lines(rig, "run")).runs).toBe(2);
});

it("counts what people do once, and tells a revert of merged work from it", async () => {
  const rig = await approvedWork();
  const [pull = 0] = rig.repository.pulls.keys();
  const review = reviewed(rig, pull, "commented");
  await tell(
    rig,
    review,
    said(rig, 1, "/flotilla why"),
    said(rig, 1, "thanks"),
    said(rig, 1, "me too", { by: "eve" }),
  );
  await tell(rig, { ...review, delivery: "d-again" });
  expect(ledgerTotal(await lines(rig, "run")).touches).toBe(3);
  await tell(rig, pullClosed(rig, pull, { merged: true }));
  expect(ledgerTotal(await lines(rig, "run"))).toMatchObject({ touches: 4, merged: 1, reverted: 0 });
  const reverted = (commits: readonly string[], pulls: readonly number[]) =>
    aDomainEvent("reverted", { ...base(rig, { by: "eve" }), commits, pulls });
  await tell(rig, reverted(["d".repeat(40)], [999]));
  expect(ledgerTotal(await lines(rig, "run")).reverted).toBe(0);
  await tell(rig, reverted([MERGED], []), reverted([], [pull]));
  expect(await lines(rig, "role")).toMatchObject([{ key: "feat-dev", touches: 4, merged: 1, reverted: 1 }]);
  const told = await rig.store.decisions.ofIssue(7, 1, 10);
  expect(told.map(({ reason }) => reason)).toContain("@eve reverted its merged work");
});

it("counts each run of a role and its finished tasks, which stand for an agent's totals", async () => {
  const rig = await aRig({
    script: [on(1, ...work), on(2, edit(), { error: { status: 400, message: "no" } })],
  });
  await tell(rig, labeled(rig, 1), labeled(rig, 2));
  const ofRole = async () => (await lines(rig, "role")).find(({ key }) => key === "feat-dev");
  expect(await ofRole()).toMatchObject({ runs: 2, finished: 0 });
  const [pull = 0] = rig.repository.pulls.keys();
  await tell(rig, pullClosed(rig, pull, { merged: true }));
  expect(await ofRole()).toMatchObject({ runs: 2, finished: 1, merged: 1 });
});
