import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import { probeSandbox } from "../../../src/adapters/sandbox/probe.ts";
import { realClock } from "../runtimes/real-harness.ts";

const bwrap = findBubblewrap(process.env["PATH"] ?? "") ?? "";
process.stdout.write(JSON.stringify(await probeSandbox({ clock: realClock, bwrap, hidden: [] })));
