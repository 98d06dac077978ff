import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { killMarkedProcesses } from "../../src/adapters/sandbox/marked-processes.ts";
import { PROCESS_MARK } from "../../src/domain/breakers/process-mark.ts";
import { createDataDisk } from "../../src/server/data-disk.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";
import { agentOf, commentsOn, stateOf } from "./look.ts";
import { labeled } from "./people.ts";
import { createRig, type Rig } from "./rig.ts";
import { edit, on, slowly } from "./scripts.ts";
import { eachRuntime } from "./with-own-settings.ts";

/** Plays an agent that fills the small disk it is given, with the database on it, and prints what became of all. */
const dataDir = process.argv[2] ?? "";
const MIB = 1024 ** 2;
const disk = createDataDisk(dataDir, []);
const name = (issue: number) => `feat-dev-issue-${issue}`;
const failures: unknown[] = [];
process.on("unhandledRejection", (error) => failures.push(String(error)));

async function sessionOf(rig: Rig, issue: number): Promise<string> {
  const session = join(dataDir, "sessions", String((await agentOf(rig, name(issue))).id));
  await mkdir(join(session, "home"), { recursive: true });
  return session;
}

const isFull = () =>
  writeFile(join(dataDir, "probe"), Buffer.alloc(MIB)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOSPC",
  );

/** Writes on for ever, whatever is freed meanwhile. */
const GREEDY = 'i=0; while :; do cat /dev/zero >"f$i" 2>/dev/null; i=$((i+1)); done';

const marks = new Map<string, string>();
const rig = await createRig({
  database: join(dataDir, "flotilla.db"),
  script: [1, 2, 3].map((issue) => on(issue, slowly(9 * HOUR, edit()))),
  settings: {
    disk: { minFreeBytes: 40 * MIB, maxAgentBytes: 10_000 * MIB, maxAgentFiles: 1_000_000, perAgentBytes: 0 },
  },
  wrapped: (given) => ({
    ...given,
    disk,
    runtimes: eachRuntime(given, (runtime) => ({
      ...runtime,
      async open(spec) {
        const session = await runtime.open(spec);
        // As the real one does.
        const stop = async () => {
          await session.stop();
          const mark = marks.get(spec.sessionId);
          if (mark !== undefined) await killMarkedProcesses([mark]);
        };
        return { ...session, stop };
      },
    })),
  }),
});
for (const issue of [1, 2]) await rig.engine.handle(labeled(rig, issue));
await rig.until("both talk", () => rig.runtime.requests.length === 2);
for (let minute = 0; minute < 2; minute += 1) {
  await rig.engine.watchDisk();
  rig.clock.advance(MINUTE);
}
const reserveBefore = existsSync(join(dataDir, "reserve"));

const session = await sessionOf(rig, 2);
const mark = `greedy@${session}`;
marks.set((await agentOf(rig, name(2))).sessionId ?? "", mark);
spawn("/bin/sh", ["-c", GREEDY], {
  cwd: join(session, "home"),
  env: { PATH: "/usr/bin:/bin", [PROCESS_MARK]: mark },
  stdio: "ignore",
  detached: true,
});
while (!(await isFull()));
await rm(join(dataDir, "probe"), { force: true });
while (!(await isFull()));

rig.clock.advance(MINUTE);
await rig.engine.watchDisk();
const states = [await stateOf(rig, name(1)), await stateOf(rig, name(2))];
const { reason } = await agentOf(rig, name(2));
await rig
  .until("people know", () => commentsOn(rig, 2).join().includes("/flotilla cancel"))
  .catch((error: unknown) => failures.push(String(error)));
await rig.engine.handle(labeled(rig, 3));
const whileFull = { reserve: existsSync(join(dataDir, "reserve")), third: await stateOf(rig, name(3)) };

const home = join(session, "home");
for (const file of await readdir(home)) await rm(join(home, file));
for (let minute = 0; minute < 2; minute += 1) {
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
}
await rig.until("the third begins", async () => (await stateOf(rig, name(3))) === "ACTIVE");
await rig.engine.stop();
await rig.close();
process.stdout.write(
  JSON.stringify({
    reserveBefore,
    states,
    reason,
    whileFull,
    reserveAfter: existsSync(join(dataDir, "reserve")),
    failures,
  }),
);
