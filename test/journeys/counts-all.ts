import { expect } from "vitest";
import { samplesIn } from "../observability/metrics/samples-in.ts";
import type { Journey } from "./journey.ts";
import { secretsOf } from "./secrets-of.ts";

/** Asserts that the metrics and the ledger of the served process have counted everything in its database. */
export async function countsAll(journey: Journey): Promise<void> {
  const { url, pid } = journey.served();
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${secretsOf(pid)["DASHBOARD_TOKEN"]}` };
    return (await fetch(`${url}${path}`, { headers })).text();
  };
  const samples = samplesIn(await get("/metrics"));
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples
      .filter((sample) => sample.name === `flotilla_${name}`)
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((total, { value }) => total + value, 0);
  const stored = (sql: string) => Number(Object.values(journey.rows(sql)[0] ?? {})[0]);
  expect(sum("effects_total")).toBe(stored("SELECT count(*) FROM effect WHERE settled_at IS NOT NULL"));
  expect(sum("deliveries_total")).toBe(stored("SELECT count(*) FROM delivery"));
  expect(sum("decisions_total")).toBe(stored("SELECT count(*) FROM decision"));
  expect(sum("turns_total")).toBe(stored("SELECT sum(turns) FROM agent"));
  const tokens = stored("SELECT sum(input_tokens) FROM usage");
  expect(sum("tokens_total", { type: "input" })).toBe(tokens);
  const completed = stored("SELECT count(*) FROM agent WHERE state = 'COMPLETED'");
  expect(sum("agents", { state: "COMPLETED" })).toBe(completed);
  expect(sum("sandbox_starts_total", { use: "agent", outcome: "started" })).toBeGreaterThan(3);
  expect(sum("webhook_seconds_count")).toBeGreaterThan(50);
  expect(sum("wake_seconds_count")).toBeGreaterThan(0);
  const { ledger }: { ledger: { tokens_in: number }[] } = JSON.parse(await get("/api/ledger?by=role"));
  expect(ledger.reduce((total, line) => total + line.tokens_in, 0)).toBe(tokens);
}
