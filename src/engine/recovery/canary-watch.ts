import { type OutcomesHere, reasonToStop, WATCH_MS } from "../../domain/recovery/canary.ts";
import { AFTER_TURN_MS } from "../../domain/recovery/node.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { BrokenRows } from "./broken-rows.ts";
import type { Nodes } from "./nodes.ts";

type Given = Pick<EngineContext, "clock" | "log" | "node" | "version" | "changed"> & {
  readonly settings: Pick<EngineContext["settings"], "reconcileEveryMs">;
};

/**
 * Drains this node when it is the first of a new version and its work goes wrong soon after its start: the others, of
 * the version that is known to work, take over. It does so once, since a person may know better.
 */
export class CanaryWatch {
  readonly #context: Given;
  readonly #nodes: Pick<Nodes, "isCanary" | "drain">;
  readonly #broken: Pick<BrokenRows, "found">;
  readonly #outcomes: Omit<OutcomesHere, "brokenRules">;
  readonly #until: number;
  #checkedAt: number;
  /** What was broken as the watch began. */
  #before: ReadonlySet<string> | null = null;
  #rules: readonly string[] = [];
  #isOver = false;

  constructor(
    context: Given,
    given: {
      readonly nodes: Pick<Nodes, "isCanary" | "drain">;
      readonly broken: Pick<BrokenRows, "found">;
      readonly outcomes: Omit<OutcomesHere, "brokenRules">;
    },
  ) {
    this.#context = context;
    this.#nodes = given.nodes;
    this.#broken = given.broken;
    this.#outcomes = given.outcomes;
    this.#checkedAt = context.clock.now();
    this.#until = this.#checkedAt + WATCH_MS;
  }

  async round(): Promise<void> {
    const { clock, log, node, version } = this.#context;
    const now = clock.now();
    this.#isOver ||= now >= this.#until;
    if (this.#isOver || !this.#nodes.isCanary) return;
    await this.#check(now);
    const why = reasonToStop({ ...this.#outcomes, brokenRules: this.#rules });
    if (why === null) return;
    this.#isOver = true;
    await this.#nodes.drain(now + AFTER_TURN_MS, why);
    log.error(
      { node, version, why },
      "this machine, the first of its version, takes no more work: read its log; then install the version before, or run `flotilla drain --undo` on it",
    );
    this.#context.changed();
  }

  /** Looks which rules are broken that were not as the watch began. */
  async #check(now: number): Promise<void> {
    if (this.#before !== null && now - this.#checkedAt < this.#context.settings.reconcileEveryMs) return;
    this.#checkedAt = now;
    const found = (await this.#broken.found()).flatMap(({ rule, ids }) =>
      ids.map((id) => ({ rule, key: `${rule} ${id}` })),
    );
    this.#before ??= new Set(found.map(({ key }) => key));
    const before = this.#before;
    this.#rules = found.filter(({ key }) => !before.has(key)).map(({ rule }) => rule);
  }
}
