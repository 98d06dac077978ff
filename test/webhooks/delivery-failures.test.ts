import { describe, expect, it } from "vitest";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { consumerRig } from "./consumer-rig.ts";
import { newDelivery } from "./memory-inbox.ts";

function failing(error: Error) {
  return async (): Promise<never> => {
    throw error;
  };
}

describe("a delivery that fails", () => {
  it("tries a failed delivery again after 5 s, doubling to 10 min, and holds its lane meanwhile", async () => {
    const { inbox, clock, consumer } = consumerRig(failing(new Error("boom")), { maxAttempts: 99 });
    await inbox.insert([newDelivery("a", { lane: "1" }), newDelivery("b", { lane: "1" })]);
    const delays: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      expect(await consumer.tick()).toBe(1);
      delays.push((inbox.row("a").notBefore - clock.now()) / 1000);
      expect(await consumer.tick()).toBe(0);
      clock.move(inbox.row("a").notBefore - clock.now());
    }
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
    expect(inbox.row("a")).toMatchObject({ state: "pending", attempts: 9, note: "boom" });
    expect(inbox.row("b").attempts).toBe(0);
  });

  it("gives up after eight failures, and the lane continues", async () => {
    const { inbox, clock, log, consumer } = consumerRig(async ({ guid }) => {
      if (guid === "b") return { ignored: "seen" };
      throw new GitHubError("unavailable", "no answer", 0, { consequence: "retry" });
    });
    await inbox.insert([newDelivery("a", { lane: "1" }), newDelivery("b", { lane: "1" })]);
    for (let n = 1; n <= 7; n += 1) {
      await consumer.tick();
      expect(inbox.row("a")).toMatchObject({ state: "pending", attempts: n });
      clock.move(600_000);
    }
    await consumer.tick();
    expect(inbox.row("a")).toMatchObject({ state: "dead", note: "unavailable: no answer" });
    expect(inbox.row("b").state).toBe("ignored");
    expect(log.lines.at(-1)).toMatchObject({ level: "error", message: "delivery dead: too many failures" });
  });

  it("takes back a claim whose answer was lost, and handles the delivery", async () => {
    const { inbox, consumer } = consumerRig(async () => ({ ignored: "seen" }));
    await inbox.insert([newDelivery("a")]);
    const claim = inbox.claim.bind(inbox);
    inbox.claim = async (options) => {
      inbox.claim = claim;
      await claim(options);
      throw new Error("Connection terminated unexpectedly");
    };
    await expect(consumer.tick()).rejects.toThrow("Connection terminated");
    expect(inbox.row("a").state).toBe("claimed");
    expect(await consumer.tick()).toBe(1);
    expect(inbox.row("a")).toMatchObject({ state: "ignored", attempts: 0 });
  });

  it("waits out a parking error without counting it", async () => {
    const retryAt = 1_000_000 + 3_600_000;
    const parked = new GitHubError("rate_limited", "slow down", 429, { consequence: "park", retryAt });
    const { inbox, clock, consumer } = consumerRig(failing(parked), { maxAttempts: 1 });
    await inbox.insert([newDelivery("a")]);
    await consumer.tick();
    expect(inbox.row("a")).toMatchObject({ state: "pending", attempts: 0, notBefore: retryAt });
    clock.move(3_599_999);
    expect(await consumer.tick()).toBe(0);
    clock.move(1);
    expect(await consumer.tick()).toBe(1);
  });

  it("tells once why deliveries are deferred, for each reason, and again when that comes back", async () => {
    const { inbox, clock, log, consumer } = consumerRig(async ({ guid }) => {
      const account = guid < "c" ? 1 : 2;
      throw new GitHubError("rate_limited", `installation ${account} has none left`, 429, {
        consequence: "park",
      });
    });
    const levels = () =>
      log.lines.filter(({ message }) => message.startsWith("delivery deferred")).map(({ level }) => level);
    await inbox.insert(["a", "c", "b", "d"].map((guid) => newDelivery(guid, { lane: guid })));
    await consumer.tick();
    expect(levels()).toEqual(["info", "info", "debug", "debug"]);
    clock.move(24 * 3_600_000);
    await consumer.tick();
    expect(levels().filter((level) => level === "info")).toHaveLength(4);
  });

  it("parks for a minute when the error names no time, and never spins on one that has passed", async () => {
    const errors = [undefined, 5].map(
      (retryAt) => new GitHubError("rate_limited", "slow down", 429, { consequence: "park", retryAt }),
    );
    const { inbox, clock, consumer } = consumerRig(() => Promise.reject(errors.shift()));
    await inbox.insert([newDelivery("a")]);
    await consumer.tick();
    expect(inbox.row("a").notBefore).toBe(clock.now() + 60_000);
    clock.move(60_000);
    expect(await consumer.tick()).toBe(1);
    expect(inbox.row("a").notBefore).toBe(clock.now() + 1);
  });

  it("writes an outcome down again when the database refused it", async () => {
    const { inbox, clock, log, consumer } = consumerRig(async () => ({ ignored: "seen" }));
    const { settle } = inbox;
    const refused = Promise.withResolvers<void>();
    inbox.settle = async () => {
      inbox.settle = settle;
      refused.resolve();
      throw new Error("database is locked");
    };
    await inbox.insert([newDelivery("a")]);
    const ticked = consumer.tick();
    await refused.promise;
    for (let n = 0; n < 100 && clock.waiting === 0; n += 1) await new Promise(setImmediate);
    expect(inbox.row("a").state).toBe("claimed");
    clock.move(1_000);
    await ticked;
    expect(inbox.row("a").state).toBe("ignored");
    expect(log.lines.map(({ message }) => message)).toEqual(["delivery outcome not recorded"]);
  });

  it("rejects a tick, or logs a poke, that cannot read the inbox, and works again afterwards", async () => {
    const { inbox, log, consumer } = consumerRig(async () => ({ ignored: "seen" }));
    const { claim } = inbox;
    inbox.claim = () => Promise.reject(new Error("database is locked"));
    await expect(consumer.tick()).rejects.toThrow("database is locked");
    consumer.poke();
    await consumer.idle();
    await new Promise(setImmediate);
    expect(log.lines).toEqual([
      { level: "error", message: "inbox not read", fields: { error: "database is locked" } },
    ]);
    inbox.claim = claim;
    await inbox.insert([newDelivery("a")]);
    expect(await consumer.tick()).toBe(1);
  });
});
