import { BENCHES } from "./benches.ts";
import { runBenches } from "./run-benches.ts";

// At an exit directories are removed; what was started hears a Ctrl-C itself.
process.once("SIGINT", () => process.exit(130));

/** `npm run bench`. */
process.exitCode = await runBenches(process.argv.slice(2), {
  benches: BENCHES,
  page: "docs/performance.md",
  print: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
});
