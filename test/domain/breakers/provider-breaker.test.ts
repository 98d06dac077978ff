import { describe, expect, it } from "vitest";
import {
  isOver,
  mayBegin,
  mayCallModel,
  modelAccount,
  type ProviderPark,
  parkAccount,
  staggerDelay,
} from "../../../src/domain/breakers/provider-breaker.ts";
import { AT, MINUTE } from "../../factories/moment.ts";

const failure = {
  account: "a",
  at: AT,
  retryAfterMs: undefined,
  activeSince: AT - 1,
  reason: "it answered 429",
};
const first = parkAccount(null, failure);
/** The next agent asks as soon as it may, and fails too. */
const again = (park: ProviderPark): ProviderPark =>
  parkAccount(park, { ...failure, at: park.until + 1, activeSince: park.until });

describe("an account at a provider", () => {
  it("is the configured provider's, and without one the runtime's own", () => {
    const own = { name: "GitHub Copilot", keyVariable: "COPILOT_GITHUB_TOKEN" };
    const provider = { baseUrl: "http://h/v1", apiKeyEnv: "KEY" };
    expect(modelAccount(provider, own)).toEqual({ name: "http://h/v1 (KEY)", keyVariable: "KEY" });
    expect(modelAccount(provider, null).keyVariable).toBe("KEY");
    expect(modelAccount(undefined, own)).toBe(own);
    expect(() => modelAccount(undefined, null)).toThrow("no account of its own");
  });

  it("pauses for as long as the provider says", () => {
    expect(parkAccount(null, { ...failure, retryAfterMs: 7_000 })).toEqual({
      account: "a",
      since: AT,
      until: AT + 7_000,
      failures: 1,
      liftedAt: null,
      reason: "it answered 429",
    });
  });

  it("pauses for a minute, doubling to half an hour, when it does not say", () => {
    const pauses: number[] = [];
    for (let park = first, asked = AT; pauses.length < 7; asked = park.until + 1, park = again(park))
      pauses.push((park.until - asked) / MINUTE);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(again(again(first)).since).toBe(AT);
  });

  it("counts those whom the same outage cut off once, and takes the latest time that one of them was told", () => {
    const second = { ...failure, at: AT + 1_000 };
    expect(parkAccount(first, second)).toEqual(first);
    expect(parkAccount(first, { ...second, retryAfterMs: 10 * MINUTE })).toMatchObject({
      until: AT + 1_000 + 10 * MINUTE,
      failures: 1,
    });
    expect(parkAccount(first, { ...second, retryAfterMs: 5 }).until).toBe(first.until);
  });

  it("continues growing when it fails again while agents continue one after another, and begins again later", () => {
    const lifted = { ...first, liftedAt: AT + MINUTE };
    const later = { ...failure, at: AT + MINUTE + 10_000, activeSince: AT + MINUTE };
    expect(parkAccount(lifted, later)).toMatchObject({ failures: 2, since: AT, liftedAt: null });
    expect(parkAccount(lifted, { ...later, at: AT + 3 * MINUTE })).toMatchObject({
      failures: 1,
      since: AT + 3 * MINUTE,
    });
  });
});

describe("an agent", () => {
  const asked = { agentId: 60, now: AT, probing: false };

  it("begins freely where nothing is parked", () => {
    expect(mayBegin(null, asked)).toBe(true);
    expect(mayCallModel(null, 0)).toBe(true);
  });

  it("does not begin before the pause is over, and is told until when it lasts", () => {
    expect(mayBegin(first, { ...asked, now: first.until - 1 })).toBe(
      `the model provider is not asked before ${new Date(first.until).toISOString()}: it answered 429`,
    );
    expect(mayBegin(first, { ...asked, now: first.until })).toBe(true);
  });

  it("waits while another asks, until that has its answer", () => {
    const now = first.until;
    expect(mayBegin(first, { ...asked, now, probing: true })).toContain("one agent asks first");
    expect(mayBegin({ ...first, liftedAt: now }, { ...asked, now, probing: true })).toBe(true);
  });

  it("continues in its place in the line", () => {
    const lifted = { ...first, liftedAt: AT };
    expect([60, 61, 62, 90].map((id) => staggerDelay(id))).toEqual([0, 2_000, 4_000, 0]);
    expect(mayBegin(lifted, { ...asked, agentId: 61, now: AT + 1_999 })).toContain("one after another");
    expect(mayBegin(lifted, { ...asked, agentId: 61, now: AT + 2_000 })).toBe(true);
    expect(isOver(lifted, AT + 59_999)).toBe(false);
    expect(isOver(lifted, AT + 60_000)).toBe(true);
    expect(mayBegin(lifted, { ...asked, agentId: 89, now: AT + 60_000 })).toBe(true);
    expect(isOver(first, AT + 1e9)).toBe(false);
  });

  it("that was at work before the pause asks no more until another had its answer", () => {
    expect(mayCallModel(first, first.until - 1)).toBe(false);
    expect(mayCallModel(first, first.until)).toBe(true);
    expect(mayCallModel({ ...first, liftedAt: AT }, 0)).toBe(true);
  });
});
