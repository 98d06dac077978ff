import { expect, it } from "vitest";
import { ExchangeStop } from "../../../src/engine/sessions/exchange-stop.ts";
import type { CheckAnswer } from "../../../src/engine/sessions/tool-check.ts";

const END = { allow: false, reason: "Not this one.", endExchange: true } as const;

it("ends at once where no approval is spent, and spends none from then on", async () => {
  const stop = new ExchangeStop();
  expect(await stop.judges(() => Promise.resolve(END))).toBe(END);
  expect(stop.refused(END).endExchange).toBe(true);
  expect(stop.isDue).toBe(true);
});

it("ends before the next model call while an approval is spent or decided on, until the next exchange", async () => {
  const stop = new ExchangeStop();
  const { promise, resolve } = Promise.withResolvers<CheckAnswer>();
  const judged = stop.judges(() => promise);
  expect(stop.refused(END).endExchange).toBe(false);
  resolve({ allow: true });
  expect(await judged).toEqual({ allow: true });
  expect(stop.refused(END).endExchange).toBe(false);
  expect(stop.isDue).toBe(true);
  stop.begin();
  expect(stop.isDue).toBe(false);
  expect(stop.refused(END).endExchange).toBe(true);
});

it("ends at once with the last of several calls about which a person is asked", async () => {
  const stop = new ExchangeStop();
  const { promise, resolve } = Promise.withResolvers<CheckAnswer>();
  const judged = stop.judges(() => promise);
  await stop.judges(() => Promise.resolve(END));
  expect(stop.refused(END).endExchange).toBe(false);
  resolve(END);
  await judged;
  expect(stop.refused(END).endExchange).toBe(true);
});

it("holds no later exchange for a call on which nobody could decide, or whose decision comes late", async () => {
  const stop = new ExchangeStop();
  await expect(stop.judges(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  const { promise, resolve } = Promise.withResolvers<CheckAnswer>();
  const late = stop.judges(() => promise);
  stop.begin();
  expect(stop.refused(END).endExchange).toBe(true);
  void stop.judges(() => new Promise(() => {}));
  resolve(END);
  await late;
  expect(stop.refused(END).endExchange).toBe(false);
});

it("does not end for a refusal that lets the exchange continue", () => {
  const stop = new ExchangeStop();
  expect(stop.refused({ ...END, endExchange: false }).endExchange).toBe(false);
  expect(stop.isDue).toBe(false);
});
