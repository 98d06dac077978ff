import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import { systemClock } from "../../../src/server/system-clock.ts";

/** Leaves behind a process that takes its time when it is asked to end. */
const LEAVES =
  "(setsid sh -c 'trap \"sleep 0.3; exit\" TERM; while :; do sleep 0.1; done' >/dev/null 2>&1 &)";

const result = await createUnconfinedRunner(systemClock).run(
  { file: "/bin/sh", args: ["-c", LEAVES], cwd: "/", env: { PATH: "/usr/bin:/bin" } },
  {
    writable: [],
    readable: [],
    hosts: [],
    registries: false,
    mark: `run-child@${process.pid}`,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    maxOutputBytes: 100,
  },
);
process.stdout.write(`exit code ${String(result.exitCode)}`);
