import { standardStreams } from "../src/cli/standard-streams.ts";
import { BENCHES } from "./benches.ts";
import { runBenches } from "./run-benches.ts";

// At an exit directories are removed; what was started hears a Ctrl-C itself.
process.once("SIGINT", () => process.exit(130));

const { print, complain, end } = standardStreams(process.stdout, process.stderr);

/** `npm run bench`. */
const code = await runBenches(process.argv.slice(2), {
  benches: BENCHES,
  page: "docs/performance.md",
  print,
  note: complain,
});
// The SDK keeps a timer for a runtime that ended in the middle of a message; it would keep this process for ever.
process.exit(await end(code));
