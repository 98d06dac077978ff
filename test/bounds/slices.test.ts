import { expect, test } from "vitest";
import { proved } from "../proved.ts";
import { sweptRounds } from "./slices.ts";

test("a million run events are swept away in transactions of a few hundred rows, with a turn of the loop behind each", {
  timeout: 900_000,
}, async () => {
  const rounds = await sweptRounds(1_000_000);
  const rows = Math.max(...rounds.map((round) => round.rows));
  // A slice of 200 rows, and what triggers write for them.
  expect(rows).toBeLessThanOrEqual(400);
  const cpu = rounds.map(({ cpuMs }) => cpuMs).toSorted((one, other) => one - other);
  const ms = (share: number) => `${(cpu[Math.floor(share * (cpu.length - 1))] ?? 0).toFixed(1)} ms`;
  proved({
    promise: "The sweep of old rows never holds the event loop for long",
    test: "test/bounds/slices.test.ts",
    figure: `1,000,000 run events in ${rounds.length} rounds: ${rows} rows at once at most, CPU at once median ${ms(0.5)}, p99 ${ms(0.99)}, max ${ms(1)}`,
  });
});
