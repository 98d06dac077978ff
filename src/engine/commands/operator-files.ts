import { BY_FILE, fileReason } from "../../domain/breakers/operator-file.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { steeredAt } from "../../domain/planning/planned-work.ts";
import type { Position } from "../../domain/ports/lists.ts";
import { resumeScope } from "../breakers/scope-pause.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { emergencyStop } from "./emergency-stop.ts";
import { steerPlan } from "./steer-plan.ts";

/** Goals and sprints that are read at once. */
const PAGE = 100;

/**
 * Follows the files PAUSE, CHECKPOINT and ABORT in the data directory: each does what the operator's command of that name
 * does, for everything.
 */
export class OperatorFileRound {
  readonly #context: EngineContext;
  readonly #drivers: Drivers;
  /** Whether the pause by the file is in the database; null before the first look. */
  #isPaused: boolean | null = null;
  /** The goals and sprints that were asked already because of a file, until it is removed. */
  readonly #asked = { ABORT: new Set<string>(), CHECKPOINT: new Set<string>() };

  constructor(context: EngineContext, drivers: Drivers) {
    this.#context = context;
    this.#drivers = drivers;
  }

  /** Never rejects: a fault here keeps no other round from its work, and the next round looks again. */
  async round(): Promise<void> {
    try {
      const present = await this.#context.operatorFiles.present();
      await this.#pause(present.has("PAUSE"));
      for (const file of ["ABORT", "CHECKPOINT"] as const)
        if (present.has(file)) await this.#steer(file);
        else this.#asked[file].clear();
    } catch (error) {
      this.#context.log.error({ error: messageOf(error) }, "the operator's files could not be followed");
    }
  }

  async #pause(isPaused: boolean): Promise<void> {
    if (isPaused === this.#isPaused) return;
    const pause = { scope: "all", holder: "file" } as const;
    if (!isPaused) await resumeScope(this.#context, pause);
    else await emergencyStop(this.#context, this.#drivers, { ...pause, by: BY_FILE, reason: null });
    this.#isPaused = isPaused;
  }

  /** Asks each goal, and each sprint without one, once; removes the file when all were asked. */
  async #steer(file: "ABORT" | "CHECKPOINT"): Promise<void> {
    const { log, nonce, operatorFiles } = this.#context;
    const verb = file === "ABORT" ? "abort" : "checkpoint";
    const asked = this.#asked[file];
    let failed = 0;
    for (const plan of await this.#open()) {
      const key = `${plan.repository}#${plan.issue}`;
      if (asked.has(key)) continue;
      try {
        await steerPlan(this.#context, { ...plan, verb, id: nonce(), by: BY_FILE, reason: fileReason(file) });
      } catch (error) {
        log.warn({ plan: key, file, error: messageOf(error) }, "a file of the operator changed nothing here");
        // One that takes no such act, such as a sprint at its checkpoint, is not asked again.
        if (!(error instanceof OperationError)) {
          failed += 1;
          continue;
        }
      }
      asked.add(key);
    }
    if (failed > 0) return;
    await operatorFiles.remove(file);
    asked.clear();
  }

  async #open(): Promise<readonly { readonly repository: string; readonly issue: number }[]> {
    const { store } = this.#context;
    const found: { repository: string; issue: number }[] = [];
    let after: Position | null = null;
    do {
      const page: Awaited<ReturnType<typeof store.plans.list>> = await store.plans.list(
        { open: true, repositories: null },
        { after, limit: PAGE },
      );
      for (const { row } of page) {
        const repository = await store.repositories.get(row.repositoryId);
        const issue = steeredAt(row);
        if (repository !== undefined && issue !== null)
          found.push({ repository: fullName(repository), issue });
      }
      after = page.length < PAGE ? null : (page.at(-1)?.position ?? null);
    } while (after !== null);
    return found;
  }
}
