import { expect, it } from "vitest";
import { ExchangeRefusal } from "../../../../src/adapters/runtimes/gateway/exchange-refusal.ts";

const refused = (): ExchangeRefusal => {
  const refusal = new ExchangeRefusal(() => undefined);
  refusal.refused({ status: 400, headers: new Headers(), body: "no" }, 0);
  return refusal;
};

it("answers a late repetition of what was refused so again, and takes that for the end where nothing else comes", () => {
  const refusal = refused();
  refusal.begin(1000);
  expect(refusal.failure).toBeNull();
  expect(refusal.late(true, 1100)?.status).toBe(400);
  expect(refusal.failure?.status).toBe(400);
  expect(refusal.late(true, 5999)?.status).toBe(400);
  expect(refusal.late(false, 5999)).toBeNull();
  expect(refusal.failure).toBeNull();
  expect(refusal.late(true, 5999)).toBeNull();
});

it("lets a repetition go out that comes later, and any other at once", () => {
  const later = refused();
  later.begin(1000);
  expect(later.late(true, 6000)).toBeNull();

  const other = refused();
  other.begin(1000);
  expect(other.late(false, 1001)).toBeNull();

  const answered = new ExchangeRefusal(() => undefined);
  answered.begin(1000);
  expect(answered.late(true, 1001)).toBeNull();
});
