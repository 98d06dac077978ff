import { standardStreams } from "../src/cli/standard-streams.ts";
import { BENCHES } from "./benches.ts";
import { runBenches } from "./run-benches.ts";

// An exit deletes the directories. Child processes receive Ctrl-C themselves.
process.once("SIGINT", () => process.exit(130));

const { print, complain, end } = standardStreams(process.stdout, process.stderr);

/** Runs `npm run bench`. */
const code = await runBenches(process.argv.slice(2), {
  benches: BENCHES,
  page: "docs/performance.md",
  print,
  note: complain,
});
// The SDK keeps a timer for a runtime that ended in the middle of a message, which would keep this process alive
// forever.
process.exit(await end(code));
