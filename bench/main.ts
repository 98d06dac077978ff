import { BENCHES } from "./benches.ts";
import { runBenches } from "./run-benches.ts";

/** `npm run bench`. */
process.exitCode = await runBenches(process.argv.slice(2), {
  benches: BENCHES,
  page: "docs/performance.md",
  print: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
});
