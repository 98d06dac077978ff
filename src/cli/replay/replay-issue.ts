import type { DeliveryRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import type { ReplayInputRow } from "../../domain/ports/audit-tables.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { type Compared, compareOutcomes, type Difference } from "../../domain/replay/differences.ts";
import { type Counts, counted, NO_OUTCOME } from "../../domain/replay/outcome.ts";
import { isUsedEvent } from "../../webhooks/events/table.ts";
import { type Again, decideAgain, type Replaying } from "./decide-again.ts";

/** A delivery with another outcome than on record. */
interface Differing {
  readonly delivery: DeliveryRow;
  readonly differences: readonly Difference[];
  /**
   * Keys of the configuration that each make a difference alone; null if no other configuration was given.
   */
  readonly because: readonly string[] | null;
}

/** The results for all deliveries of one issue. */
export interface Replayed {
  readonly issue: number;
  /** The number of deliveries that were decided again. */
  readonly deliveries: number;
  readonly same: Counts & { readonly ignored: number };
  readonly differing: readonly Differing[];
  /** Deliveries that could not be decided again, and why. */
  readonly untold: readonly { readonly delivery: DeliveryRow; readonly why: string }[];
}

type Reading = Pick<Tables, "deliveries" | "replayInputs">;

/** The maximum number of deliveries per issue; the oldest beyond it are left out. */
const MOST = 10_000;

/** Returns the keys that make the difference; called only for a delivery that differs. */
export type Because = (
  delivery: DeliveryRow,
  input: ReplayInputRow,
  differs: (again: Again) => Promise<boolean>,
) => Promise<readonly string[] | null>;

/** Decides again on each delivery of the issue, in order of arrival. Only reads. */
export async function replayIssue(
  store: Reading,
  replaying: Replaying,
  issue: number,
  because: Because,
): Promise<Replayed> {
  const { repository } = replaying;
  const differing: Differing[] = [];
  const untold: Replayed["untold"][number][] = [];
  let same: Replayed["same"] = { ...counted([]), ignored: 0 };
  const found = await deliveriesOf(store, repository, issue);
  for (const delivery of found) {
    const input = await store.replayInputs.get(delivery.guid);
    const why = unreadable(delivery, input);
    if (why !== null || input === undefined) {
      if (why === null) same = { ...same, ignored: same.ignored + 1 };
      else untold.push({ delivery, why });
      continue;
    }
    const again = await decideAgain(replaying, delivery, input);
    const result = await comparedWith(store, delivery, again);
    if ("why" in result) {
      untold.push({ delivery, why: result.why });
      continue;
    }
    same = added(same, result.same, again.kind === "ignored" && result.differences.length === 0 ? 1 : 0);
    if (result.differences.length === 0) continue;
    const text = JSON.stringify(result.differences);
    const differs = async (other: Again): Promise<boolean> => {
      const tried = await comparedWith(store, delivery, other);
      return "differences" in tried && JSON.stringify(tried.differences) === text;
    };
    differing.push({
      delivery,
      differences: result.differences,
      because: await because(delivery, input, differs),
    });
  }
  return { issue, deliveries: found.length - untold.length, same, differing, untold };
}

async function deliveriesOf(
  store: Reading,
  repository: RepositoryRow,
  issue: number,
): Promise<readonly DeliveryRow[]> {
  const lane = await store.deliveries.list({ lane: `${repository.id}#${issue}` }, MOST);
  const decided = await store.replayInputs.ofIssue(repository.id, issue);
  const guids = new Set([...lane.map(({ guid }) => guid), ...decided]);
  const rows: DeliveryRow[] = [];
  for (const guid of guids) {
    const row = await store.deliveries.get(guid);
    if (row !== undefined) rows.push(row);
  }
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/**
 * Returns why the delivery cannot be decided again. Null without a record for an event that was unused then
 * and is now.
 */
function unreadable(delivery: DeliveryRow, input: ReplayInputRow | undefined): string | null {
  const { state, event, action, guid, payload } = delivery;
  if (state === "dead")
    return `it was never handled: \`flotilla deliveries replay ${guid}\` hands it in again`;
  if (state !== "done" && state !== "ignored") return "it is not handled yet";
  if (payload === "") return "its payload is gone: it is kept as long as retention.payloads says";
  if (input !== undefined)
    return state === "done" && input.known === null ? "what was known then was too much to be kept" : null;
  const used = isUsedEvent(action === null ? event : `${event}.${action}`);
  return state === "ignored" && !used ? null : "what it was decided on was not kept";
}

async function comparedWith(
  store: Reading,
  { guid, state, note }: DeliveryRow,
  again: Again,
): Promise<Compared | { readonly why: string }> {
  if (again.kind === "untold") return again;
  const ignored = state === "ignored" ? `ignored: ${note ?? ""}` : null;
  const recorded = ignored === null ? await store.replayInputs.outcome(guid) : NO_OUTCOME;
  if (recorded === undefined) return { why: "what came of it was not kept" };
  const now = saidOf(again);
  const compared = compareOutcomes(recorded, again.kind === "decided" ? again.outcome : NO_OUTCOME);
  if (ignored === now) return compared;
  const difference: Difference = {
    what: "delivery",
    recorded: ignored ?? "handled",
    again: now ?? "handled",
  };
  return { ...compared, differences: [difference, ...compared.differences] };
}

/** Describes an outcome other than "handled"; null for a handled delivery. */
function saidOf(again: Exclude<Again, { kind: "untold" }>): string | null {
  if (again.kind === "decided") return null;
  if (again.kind === "ignored") return `ignored: ${again.reason}`;
  return `handled as ${again.as}; what follows is not on record`;
}

function added(so: Replayed["same"], more: Counts, ignored: number): Replayed["same"] {
  return {
    transitions: so.transitions + more.transitions,
    decisions: so.decisions + more.decisions,
    effects: so.effects + more.effects,
    wakes: so.wakes + more.wakes,
    ignored: so.ignored + ignored,
  };
}
