import { messageOf } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

type Given = Pick<EngineContext, "store" | "worktrees" | "disk" | "clock" | "log">;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Tidies each repository's mirror once a day, one at a time, while none of its agents works. The first is due
 * an hour after the start.
 */
export class TidyMirrors {
  readonly #context: Given;
  /** When each mirror was last tidied, by repository. */
  readonly #last = new Map<number, number>();
  #next: number;
  #under: Promise<void> | null = null;

  constructor(context: Given) {
    this.#context = context;
    this.#next = context.clock.now() + HOUR_MS;
  }

  /** Starts what is due without waiting for it, since it takes minutes. */
  begin(): void {
    const { clock, log } = this.#context;
    if (this.#under !== null || clock.now() < this.#next) return;
    this.#next = clock.now() + HOUR_MS;
    this.#under = this.#round()
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, "mirrors not tidied"))
      .finally(() => {
        this.#under = null;
      });
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#under;
  }

  async #round(): Promise<void> {
    const { store, worktrees, disk, clock, log } = this.#context;
    const before = (await disk.mirrors()).bytes;
    let tidied = 0;
    for (const repository of await store.repositories.all()) {
      const at = clock.now();
      if (at < (this.#last.get(repository.id) ?? Number.NEGATIVE_INFINITY) + DAY_MS) continue;
      const busy = await store.records.ids("agent", { repositoryId: repository.id, state: "ACTIVE" });
      if (busy.length > 0) continue;
      this.#last.set(repository.id, at);
      try {
        await worktrees.tidy(repository);
        tidied += 1;
      } catch (error) {
        log.warn({ repository: repository.name, error: messageOf(error) }, "mirror not tidied");
      }
    }
    if (tidied > 0) log.info({ tidied, before, after: (await disk.mirrors()).bytes }, "mirrors tidied");
  }
}
