import { describe, expect, it } from "vitest";
import { GitHubError, LostClaim } from "../../src/domain/kernel/errors.ts";
import type { Received } from "../../src/webhooks/queue/delivery-consumer.ts";
import { consumerRig, heldHandlers } from "./consumer-rig.ts";
import { newDelivery } from "./memory-inbox.ts";

describe("delivery consumer", () => {
  it("hands in every delivery and settles what no handler has use for", async () => {
    const { inbox, clock, consumer } = consumerRig(async ({ event }) => ({
      ignored: `event ${event} is not used`,
    }));
    await inbox.insert([newDelivery("a", { event: "star", lane: "1" }), newDelivery("b", { lane: "1" })]);
    expect(await consumer.tick()).toBe(2);
    expect(inbox.row("a")).toMatchObject({
      state: "ignored",
      note: "event star is not used",
      settledAt: clock.now(),
    });
    expect(inbox.row("b").state).toBe("ignored");
    expect(await consumer.tick()).toBe(0);
  });

  it("leaves alone what a handler has settled itself", async () => {
    const { inbox, log, consumer } = consumerRig(async ({ guid }, claim) => {
      await inbox.settle(guid, claim, "done", null, 1);
      return "handled";
    });
    await inbox.insert([newDelivery("a")]);
    await consumer.tick();
    expect(inbox.row("a")).toMatchObject({ state: "done", note: null });
    expect(log.lines).toEqual([]);
  });

  it("drops the outcome of a delivery that another has claimed meanwhile, and says so", async () => {
    const outcomes: Record<string, () => Received | Promise<never>> = {
      handled: () => "handled",
      ignored: () => ({ ignored: "nothing" }),
      fenced: () => Promise.reject(new LostClaim("delivery fenced")),
      failed: () => Promise.reject(new Error("502")),
      parked: () => Promise.reject(new GitHubError("rate_limited", "slow", 429, { consequence: "park" })),
    };
    const { inbox, log, consumer } = consumerRig(
      async ({ guid }) => {
        inbox.expire(guid);
        await inbox.claim({ token: `other-${guid}`, node: "other", leaseMs: 1, now: 0, limit: 9 });
        return (outcomes[guid] ?? (() => "handled"))();
      },
      { concurrency: 9 },
    );
    await inbox.insert(Object.keys(outcomes).map((guid) => newDelivery(guid, { lane: guid })));
    await consumer.tick();
    for (const guid of Object.keys(outcomes))
      expect(inbox.row(guid)).toMatchObject({ state: "claimed", attempts: 0, note: null });
    const lost = "delivery claimed by another meanwhile: this outcome is dropped";
    expect(log.lines.filter(({ message }) => message === lost).map(({ fields }) => fields)).toEqual(
      ["ignored", "fenced", "failed", "parked"].map((delivery) => ({ delivery, event: "issues" })),
    );
  });

  it("says aloud when a handler took a delivery and recorded nothing", async () => {
    const { inbox, log, consumer } = consumerRig(async () => "handled");
    await inbox.insert([newDelivery("a")]);
    await consumer.tick();
    expect(inbox.row("a")).toMatchObject({
      state: "dead",
      note: "a handler took it and recorded no outcome",
    });
    expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
  });

  it("keeps the order of a lane and runs lanes side by side", async () => {
    const handlers = heldHandlers();
    const { inbox, consumer } = consumerRig(handlers.receive);
    await inbox.insert([
      newDelivery("1a", { lane: "1" }),
      newDelivery("1b", { lane: "1" }),
      newDelivery("2a", { lane: "2" }),
    ]);
    const ticked = consumer.tick();
    await handlers.whenBegun("1a", "2a");
    handlers.end("2a");
    expect(handlers.begun).toEqual(["1a", "2a"]);
    handlers.end("1a");
    await handlers.whenBegun("1b");
    expect(inbox.row("1a").state).toBe("ignored");
    handlers.end("1b");
    expect(await ticked).toBe(3);
  });

  it("runs no more at a time than it is told", async () => {
    const handlers = heldHandlers();
    const { inbox, consumer } = consumerRig(handlers.receive, { concurrency: 2 });
    await inbox.insert(["a", "b", "c"].map((guid) => newDelivery(guid, { lane: guid })));
    const ticked = consumer.tick();
    await handlers.whenBegun("a", "b");
    consumer.poke();
    await new Promise(setImmediate);
    expect(handlers.begun).toEqual(["a", "b"]);
    handlers.end("b");
    await handlers.whenBegun("c");
    expect(handlers.begun).toEqual(["a", "b", "c"]);
    handlers.end("a");
    handlers.end("c");
    expect(await ticked).toBe(3);
  });

  it("begins what arrives during a tick at once when poked", async () => {
    const handlers = heldHandlers();
    const { inbox, consumer } = consumerRig(handlers.receive);
    await inbox.insert([newDelivery("a", { lane: "1" })]);
    const ticked = consumer.tick();
    await handlers.whenBegun("a");
    await inbox.insert([newDelivery("b", { lane: "2" })]);
    consumer.poke();
    await handlers.whenBegun("b");
    handlers.end("b");
    handlers.end("a");
    expect(await ticked).toBe(2);
  });

  it("misses nothing that arrives while it looks", async () => {
    const { inbox, consumer } = consumerRig(async () => ({ ignored: "seen" }));
    const { claim } = inbox;
    let looked = 0;
    inbox.claim = async (options) => {
      const rows = await claim(options);
      looked += 1;
      if (looked === 1) {
        await inbox.insert([newDelivery("late")]);
        consumer.poke();
      }
      return rows;
    };
    expect(await consumer.tick()).toBe(1);
    expect(inbox.row("late").state).toBe("ignored");
  });

  it("stops when what runs is settled, and takes nothing more", async () => {
    const handlers = heldHandlers();
    const { inbox, consumer } = consumerRig(handlers.receive);
    await inbox.insert([newDelivery("1a", { lane: "1" }), newDelivery("1b", { lane: "1" })]);
    consumer.poke();
    await handlers.whenBegun("1a");
    const order: string[] = [];
    const stop = consumer.stop().then(() => order.push("stopped"));
    await new Promise(setImmediate);
    order.push("ended");
    handlers.end("1a");
    await stop;
    expect(order).toEqual(["ended", "stopped"]);
    await consumer.tick();
    expect(inbox.row("1a").state).toBe("ignored");
    expect(inbox.row("1b").state).toBe("pending");
  });
});
