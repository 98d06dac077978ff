import {
  BY_FILE,
  CONTINUED_BY_FILE,
  ENDED_BY_FILE,
  heldOn,
  holdingFiles,
  isHeldElsewhere,
  isStoppedByFile,
  STOPPED_BY_FILE,
  stopsByFile,
} from "../../domain/breakers/operator-file.ts";
import { type MoveOf, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import type { SprintRecord } from "../../domain/planning/sprint.ts";
import { advance } from "../kernel/advance.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { issueOfSprint } from "../planning/plan-notifications.ts";
import { OPEN_SPRINT } from "../planning/plan-of.ts";
import { emergencyStop } from "./emergency-stop.ts";
import type { Reaching } from "./talk.ts";

const HOLD = { scope: "all", holder: "file", by: BY_FILE } as const;
const RULE = "operator_file";

/** A move of a goal or a sprint in the name of a file. */
interface Act {
  readonly repositoryId: number;
  readonly issue: number;
  readonly move: MoveOf<"goal"> | MoveOf<"sprint">;
  readonly why: string;
}

/**
 * Follows the files PAUSE, CHECKPOINT and ABORT in the data directory. What a file has done already is read from the
 * database, so that a restart neither repeats nor forgets it.
 */
export class OperatorFileRound {
  readonly #context: EngineContext;
  readonly #reaching: Reaching;
  /** The files by which all agents were last put to sleep; undefined before the first check. */
  #holding: string | null | undefined;
  /** Since when the file CHECKPOINT was there at the last look; undefined where it was not. */
  #checkpointSince: number | undefined;
  /** Whether the file CHECKPOINT was there in this life. */
  #hasStopped = false;
  /** Whether all sprints that the file CHECKPOINT had stopped have continued since it was removed. */
  #continued = false;
  /** Why moves were not taken at the last check, so that the same reason is logged once. */
  #logged: ReadonlyMap<string, string> = new Map();
  /** The same of the present check. */
  #faults = new Map<string, string>();

  constructor(context: EngineContext, reaching: Reaching) {
    this.#context = context;
    this.#reaching = reaching;
  }

  /** Never rejects: a fault here keeps no other round from its work, and the next round looks again. */
  async round(): Promise<void> {
    this.#logged = this.#faults;
    this.#faults = new Map();
    const { alone, node } = this.#context;
    try {
      const there = await this.#context.operatorFiles.present();
      const files = holdingFiles(there);
      await this.#hold(files === null || alone ? files : heldOn(files, node));
      if (there.has("ABORT")) await this.#abort();
      const since = there.get("CHECKPOINT");
      this.#logCheckpoint(since);
      // Beside other nodes, a sprint may be stopped by a file of theirs: only who has seen its file knows that it is gone.
      if (since !== undefined) this.#hasStopped = true;
      if (since !== undefined) await this.#checkpoint(since);
      else if (alone || this.#hasStopped) await this.#continue();
    } catch (error) {
      this.#context.log.error({ error: messageOf(error) }, "the operator's files could not be followed");
    }
  }

  async #hold(files: string | null): Promise<void> {
    if (files === this.#holding) return;
    const { store, clock, log, shownHolds, changed, alone, node } = this.#context;
    const request = { ...HOLD, reason: files };
    const at = clock.now();
    let isElsewhere = false;
    // One transaction, so that no agent starts while one file takes the place of the other.
    const isNew = await store.transaction(async ({ scopePauses, decisions }) => {
      const held = (await scopePauses.list()).find(({ holder }) => holder === HOLD.holder);
      isElsewhere = !alone && isHeldElsewhere(held?.reason ?? null, node);
      if (isElsewhere || (held?.reason ?? null) === files) return false;
      await scopePauses.lift(HOLD.scope, HOLD.holder);
      if (files !== null) await scopePauses.add({ ...request, since: at });
      await decisions.add({
        at,
        repositoryId: null,
        issue: null,
        agentId: null,
        rule: RULE,
        reason: files === null ? "no file holds the agents any more" : `${files} holds all agents`,
        change: null,
        inputs: { files },
        delivery: null,
      });
      return true;
    });
    if (isNew) {
      log.info({ files }, "the files that hold all agents have changed");
      shownHolds.requestRound();
      changed();
    }
    // Looked at again in the next round: this node's files hold the agents once the others are gone.
    if (isElsewhere && files !== null) return;
    if (files !== null) await emergencyStop(this.#context, this.#reaching, request);
    this.#holding = files;
  }

  async #abort(): Promise<void> {
    const { store, clock } = this.#context;
    const why = ENDED_BY_FILE;
    for (const { id, repositoryId, issue } of await readable(store, "goal", { state: "IN_PROGRESS" })) {
      const event = { type: "ABORT", at: clock.now(), actor: BY_FILE, why } as const;
      await this.#take({ repositoryId, issue, move: { machine: "goal", id, event }, why });
    }
    // A goal has ended its own sprints.
    for (const sprint of await readable(store, "sprint", { state: OPEN_SPRINT }))
      await this.#takeSprint(sprint, { type: "ABORT", at: clock.now(), actor: BY_FILE, why }, why);
  }

  /** The file may stop nothing for a long time, and then the next sprint. */
  #logCheckpoint(since: number | undefined): void {
    if (since === this.#checkpointSince) return;
    this.#checkpointSince = since;
    const { log } = this.#context;
    if (since === undefined) log.info({}, "the file CHECKPOINT is gone from the data directory");
    else
      log.info({}, "the file CHECKPOINT in the data directory stops each sprint, also one that begins later");
  }

  async #checkpoint(since: number): Promise<void> {
    this.#continued = false;
    const { store, clock } = this.#context;
    const why = STOPPED_BY_FILE;
    for (const sprint of await readable(store, "sprint", { state: "IN_PROGRESS" })) {
      if (!stopsByFile(await store.transitions.ofSprint(sprint), since, clock.now())) continue;
      const event = { type: "CHECKPOINT", at: clock.now(), actor: BY_FILE, cause: "person", why } as const;
      await this.#takeSprint(sprint, event, why);
    }
  }

  async #continue(): Promise<void> {
    if (this.#continued) return;
    const { store, clock } = this.#context;
    let all = true;
    for (const sprint of await readable(store, "sprint", { state: "CHECKPOINT" })) {
      if (!isStoppedByFile(await store.transitions.ofSprint(sprint))) continue;
      const event = { type: "CONTINUE", at: clock.now(), actor: BY_FILE } as const;
      if (!(await this.#takeSprint(sprint, event, CONTINUED_BY_FILE))) all = false;
    }
    this.#continued = all;
  }

  async #takeSprint(sprint: SprintRecord, event: MoveOf<"sprint">["event"], why: string): Promise<boolean> {
    const { id, repositoryId, title } = sprint;
    const issue = (await issueOfSprint(this.#context.store, sprint)) ?? 0;
    const move = { machine: "sprint", id, event } as const;
    return this.#take({ repositoryId, issue, move, why: `the sprint "${title}": ${why}` });
  }

  /** Returns whether the move was taken. Otherwise the next check decides again from the rows as they are then. */
  async #take(act: Act): Promise<boolean> {
    const { log } = this.#context;
    const { machine, id, event } = act.move;
    const about = { machine, id, event: event.type };
    const fault = await this.#advance(act).catch(messageOf);
    if (fault === null) {
      log.info(about, "a goal or a sprint has followed the operator's file");
      return true;
    }
    const key = `${machine} ${id} ${event.type}`;
    this.#faults.set(key, fault);
    if (this.#logged.get(key) !== fault)
      log.warn({ ...about, error: fault }, "a goal or a sprint has not followed the operator's file yet");
    return false;
  }

  /** Returns why the move was refused; null when it was taken. */
  async #advance({ repositoryId, issue, move, why }: Act): Promise<string | null> {
    const { machine, event } = move;
    const { at } = event;
    const refusalOf = (refused: readonly Refusal[]) =>
      refused.find((refusal) => refusal.machine === machine && refusal.event === event.type);
    const { refused } = await advance(this.#context, {
      at,
      repositoryId,
      issue,
      delivery: null,
      name: null,
      changes: { ...NO_CHANGES, moves: [move] },
      afterwards: async ({ decisions }, refusals) => {
        if (refusalOf(refusals) !== undefined) return;
        const inputs = { machine, id: move.id, event: event.type };
        const decision = { rule: RULE, reason: why, change: null, inputs, delivery: null } as const;
        await decisions.add({ ...decision, at, repositoryId, issue, agentId: null });
      },
    });
    return refusalOf(refused)?.reason ?? null;
  }
}
