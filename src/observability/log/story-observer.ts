import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { DecisionRow, EvidenceRow, NewEffect, WakeRow } from "../../domain/kernel/rows.ts";
import type { NewTransition } from "../../domain/ports/audit-tables.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { ObserveStore, StoreObserver } from "../../domain/ports/store-observer.ts";
import {
  type StoryLine,
  storyOfDecision,
  storyOfMissing,
  storyOfMove,
  storyOfWake,
} from "../../domain/reporting/story.ts";

/** Where and for whom something happened; null where it concerns no single one. */
interface Place {
  readonly repositoryId: number | null;
  readonly issue: number | null;
  readonly agentId: number | null;
}

/** Something that happened, until it is logged. */
interface Happened {
  /** Repository and issue are the agent's where they are left out. */
  readonly place: Pick<Place, "agentId"> & Partial<Place>;
  /** Null where there is nothing to tell of it. */
  readonly line: (agent: AgentRecord | undefined) => StoryLine | null;
  readonly write: (fields: object) => void;
}

/** A decision that is not logged yet: a command that it refuses tells it instead. */
interface Undecided {
  readonly decision: Pick<DecisionRow, "delivery" | "reason">;
  isTold: boolean;
}

/** Logs what happens on issues, a line an event, once it is certain. */
export const storyInto =
  (log: Pick<Log, "info" | "debug">): ObserveStore =>
  (store) =>
    createStoryObserver(log, store);

/** Reads names from `store`. */
function createStoryObserver(
  log: Pick<Log, "info" | "debug">,
  store: Pick<Store, "records" | "repositories">,
): StoreObserver {
  const names = new Map<number, string>();
  /** Where a pull request is being opened, by the id of the effect. */
  const opening = new Map<number, Place>();
  const undecided: Undecided[] = [];
  let last: Promise<void> = Promise.resolve();

  /** Lines keep the order of the calls, whatever is read for them. */
  function tell(happened: Happened): Promise<void> {
    const told = last.then(() => write(happened));
    last = told.catch(() => undefined);
    return told;
  }

  async function write({ place, line, write: into }: Happened): Promise<void> {
    const { agentId } = place;
    const agent = agentId === null ? undefined : await store.records.get("agent", agentId);
    const story = line(agent);
    if (story === null) return;
    const { what, why, by } = story;
    into({
      ...(await whereOf({ ...agent, ...place })),
      // Also undefined: the line may be written on behalf of another agent.
      agent: agent?.name,
      what,
      ...(why === null ? {} : { why }),
      ...(by === null ? {} : { by }),
    });
  }

  async function whereOf({ repositoryId, issue }: Partial<Place>): Promise<object> {
    if (repositoryId === undefined || repositoryId === null) return {};
    const name = names.get(repositoryId) ?? (await readName(repositoryId));
    const isOfIssue = issue !== undefined && issue !== null && issue !== 0;
    return {
      where: isOfIssue ? `${name}#${issue}` : name,
      repository: repositoryId,
      ...(isOfIssue ? { issue } : {}),
    };
  }

  async function readName(id: number): Promise<string> {
    const row = await store.repositories.get(id);
    const name = row === undefined ? `repository ${id}` : fullName(row);
    if (row !== undefined) names.set(id, name);
    return name;
  }

  function tellMove(move: NewTransition): Promise<void> | undefined {
    if (storyOfMove(move) === null) return undefined;
    return tell({
      // What is said of a task is said of the issue's work.
      place: move.machine === "agent" ? move : { ...move, agentId: null },
      line: (agent) => storyOfMove(move, agent?.breaker),
      write: (fields) => log.info(fields, "moved"),
    });
  }

  function tellWake(wake: Pick<WakeRow, "agentId" | "reason" | "detail">): Promise<void> | undefined {
    const story = storyOfWake(wake);
    if (story === null) return undefined;
    return tell({
      place: { agentId: wake.agentId },
      line: () => story,
      write: (fields) => log.info(fields, "told"),
    });
  }

  function tellMissing({ agentId, missing }: Pick<EvidenceRow, "agentId" | "missing">) {
    if (missing === null) return undefined;
    return tell({
      place: { agentId },
      line: () => storyOfMissing(missing),
      write: (fields) => log.info(fields, "claim not accepted"),
    });
  }

  function tellDecision(decision: Place & Pick<DecisionRow, "delivery" | "rule" | "reason" | "change">) {
    const open: Undecided = { decision, isTold: false };
    undecided.push(open);
    const story = storyOfDecision(decision);
    return tell({
      place: decision,
      line: () => {
        undecided.splice(undecided.indexOf(open), 1);
        return open.isTold ? null : (story ?? { what: decision.rule, why: decision.reason, by: null });
      },
      write: (fields) => (story === null ? log.debug(fields, "decided") : log.info(fields, "decided")),
    });
  }

  function tellCommand(row: NewEffect): Promise<void> | undefined {
    const { payload } = row;
    if (payload.kind !== "react") return undefined;
    const { verb, by, delivery } = payload.command;
    const isRefused = payload.reaction === "confused";
    const refusal = isRefused
      ? undecided.findLast(({ decision }) => decision.delivery === delivery)
      : undefined;
    if (refusal !== undefined) refusal.isTold = true;
    return tell({
      place: row,
      line: () => ({
        what: `/flotilla ${verb} is ${isRefused ? "refused" : "carried out"}`,
        why: refusal?.decision.reason ?? null,
        by,
      }),
      write: (fields) => log.info(fields, "commanded"),
    });
  }

  return {
    calls: {
      repositories: {
        put: ([row]) => {
          names.set(row.id, fullName(row));
        },
      },
      transitions: {
        add: async (moves) => {
          await Promise.all(moves.flatMap((move) => tellMove(move) ?? []));
        },
      },
      decisions: {
        add: ([decision], id) => (id === null ? undefined : tellDecision(decision)),
      },
      wakes: {
        add: ([wake], isNew) => (isNew ? tellWake(wake) : undefined),
      },
      evidence: {
        add: ([row]) => tellMissing(row),
      },
      effects: {
        add: async ([rows]) => {
          await Promise.all(rows.flatMap((row) => tellCommand(row) ?? []));
        },
        lease: (_, rows) => {
          for (const row of rows) if (row.kind === "open_pr") opening.set(row.id, row);
        },
        settle: ([id, , { state, result }], isSettled) => {
          const place = opening.get(id);
          opening.delete(id);
          if (place === undefined || !isSettled || state !== "done") return undefined;
          return tell({
            place,
            line: () => ({ what: "opens a pull request", why: numberIn(result), by: null }),
            write: (fields) => log.info(fields, "pull request opened"),
          });
        },
      },
      deliveries: {
        settle: ([delivery, , outcome, note], isSettled) => {
          if (isSettled && outcome === "ignored") log.debug({ delivery, why: note }, "webhook ignored");
        },
      },
    },
  };
}

/** Returns the number of a pull request as people write it. */
function numberIn(result: unknown): string | null {
  const number = typeof result === "object" && result !== null && "number" in result ? result.number : null;
  return typeof number === "number" ? `#${number}` : null;
}
