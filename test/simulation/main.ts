import { parseArgs } from "node:util";
import { print } from "../domain/traces/print.ts";
import { type Run, simulate } from "./simulate.ts";

/** `npm run simulate -- --seeds 10000 [--from 1] [--steps 60] [--engines 3]`, or `--seed N` for one run with all that happened. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "200" },
    from: { type: "string", default: "1" },
    steps: { type: "string", default: "60" },
    seed: { type: "string" },
    engines: { type: "string", default: "1" },
  },
});

const LAST_STEPS = 40;
const PROGRESS = 100;

const steps = number("steps", values.steps);
const engines = number("engines", values.engines);
if (values.seed === undefined) await many(number("from", values.from), number("seeds", values.seeds));
else tell(await simulate(number("seed", values.seed), steps, { engines }), Number.POSITIVE_INFINITY);

async function many(from: number, count: number): Promise<void> {
  const sum = { failed: 0, crashes: 0, faults: 0, pauses: 0 };
  for (let done = 1; done <= count; done += 1) {
    const run = await simulate(from + done - 1, steps, { engines });
    sum.crashes += run.crashes;
    sum.faults += run.faults;
    sum.pauses += run.pauses;
    if (run.failure !== null) {
      sum.failed += 1;
      tell(run, LAST_STEPS);
    }
    if (done % PROGRESS === 0 || done === count)
      print(
        `${done} of ${count} seeds: ${sum.failed} failed; ${sum.crashes} kills, ${sum.faults} faults, ${sum.pauses} pauses`,
      );
  }
}

/** What a run came to, with the last lines of what happened in it. */
function tell(run: Run, lines: number): void {
  for (const line of run.trace.slice(-lines)) print(line);
  print(`seed ${run.seed}: trace ${run.hash}`);
  if (run.failure === null) return;
  process.exitCode = 1;
  print(`seed ${run.seed} broke a promise, ${run.failure.detail}`);
  const several = engines === 1 ? "" : ` --engines ${engines}`;
  print(`again: npm run simulate -- --seed ${run.seed} --steps ${steps}${several}`);
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} takes a whole number, and not ${text}`);
  return value;
}
