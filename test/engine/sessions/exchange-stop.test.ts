import { expect, it } from "vitest";
import { ExchangeStop } from "../../../src/engine/sessions/exchange-stop.ts";

const END = { allow: false, reason: "Not this one.", endExchange: true } as const;

it("ends at once where no approval is spent, and spends none from then on", async () => {
  const stop = new ExchangeStop();
  expect(await stop.spends(() => Promise.resolve(false))).toBe(false);
  expect(stop.refused(END).endExchange).toBe(true);
  expect(stop.isDue).toBe(true);
});

it("ends before the next model call while an approval is spent or looked for, until the next exchange", async () => {
  const stop = new ExchangeStop();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const looked = stop.spends(() => promise);
  expect(stop.refused(END).endExchange).toBe(false);
  resolve(true);
  expect(await looked).toBe(true);
  expect(stop.refused(END).endExchange).toBe(false);
  expect(stop.isDue).toBe(true);
  stop.begin();
  expect(stop.isDue).toBe(false);
  expect(stop.refused(END).endExchange).toBe(true);
});

it("does not end for a refusal that lets the exchange continue", () => {
  const stop = new ExchangeStop();
  expect(stop.refused({ ...END, endExchange: false }).endExchange).toBe(false);
  expect(stop.isDue).toBe(false);
});
