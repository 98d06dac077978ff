import { z } from "zod";
import { holdText } from "../../domain/breakers/hold.ts";
import { repositoryScope } from "../../domain/breakers/scope.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { shutScopes } from "../breakers/shut-scopes.ts";
import { issueEffect, issueLane } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { holdsAround } from "./holds-around.ts";

/** Issues compared per round. */
const A_ROUND = 100;
/** Renewals that wait or run at once, so that GitHub and the dispatcher stay free for other work. */
const AT_ONCE = 8;

interface Place {
  readonly repositoryId: number;
  readonly issue: number;
}

const shown = z.object({ id: z.number(), holds: z.string() });

/** Stored with a written status comment: its id, and the holds on the issue that it shows. */
export type ShownStatus = z.infer<typeof shown>;

/** Returns null for a comment that was not written. */
export function shownStatus(row: EffectRow | undefined): ShownStatus | null {
  return shown.safeParse(row?.result).data ?? null;
}

export async function holdsAsText(context: EngineContext, tables: Tables, place: Place): Promise<string> {
  return context.redact(holdText(await holdsAround(context, tables, place)));
}

/**
 * Renews the status comments of resting agents that show outdated holds, since no move of these agents does.
 * Compares their issues in slices after each check, and once after the start, because a hold may have ended
 * before it.
 */
export class ShownHolds {
  #due = true;
  #left: readonly Place[] = [];
  readonly #renewing = new Set<number>();

  /**
   * Requests a comparison: a hold has begun or ended (pause of a scope, disk, what may run in a repository).
   */
  requestRound(): void {
    this.#due = true;
  }

  async round(context: EngineContext): Promise<void> {
    const { store } = context;
    if (this.#due) {
      this.#due = false;
      this.#left = await store.records.issues("agent", { state: ["CREATED", "SLEEPING", "ESCALATED"] });
    }
    if (this.#left.length === 0) return;
    await this.#forgetSettled(context);
    // Their comments wait until GitHub accepts writes, and read the holds then.
    const shut = await shutScopes(store);
    let done = 0;
    for (const place of this.#left.slice(0, A_ROUND)) {
      if (this.#renewing.size >= AT_ONCE) break;
      if (!shut.has(repositoryScope(place.repositoryId))) await this.#compare(context, place);
      done += 1;
    }
    this.#left = this.#left.slice(done);
  }

  async #compare(context: EngineContext, place: Place): Promise<void> {
    const { store, clock } = context;
    const { repositoryId, issue } = place;
    const lane = issueLane(repositoryId, issue);
    const last = await store.effects.latest(lane, "status_comment", ["leased", "done"]);
    // Without a comment there is nothing to renew; the text of one being written is not known yet.
    if (last === undefined) return;
    if (last.state === "done" && shownStatus(last)?.holds === (await holdsAsText(context, store, place)))
      return;
    const at = clock.now();
    const row = issueEffect({ repositoryId, issue, effect: { kind: "status_comment" }, at });
    const [id] = await store.effects.add([{ ...row, key: `holds:${at}:${last.id}:${lane}` }]);
    if (id !== undefined) this.#renewing.add(id);
  }

  async #forgetSettled({ store }: EngineContext): Promise<void> {
    for (const id of this.#renewing) {
      const row = await store.effects.get(id);
      if (row?.state !== "pending" && row?.state !== "leased") this.#renewing.delete(id);
    }
  }
}
