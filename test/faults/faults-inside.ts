import type { Fault } from "./fault.ts";

/** Of our process, the agents, git and files. */
export const FAULTS_INSIDE: readonly Fault[] = [
  {
    id: "F24",
    what: "kill -9 at each move",
    shown: [
      ["test/engine/recovery/recovery-sweep.test.ts", "wherever the process dies between two calls"],
      ["test/journeys/crash.test.ts", "dies at every crash point"],
    ],
  },
  {
    id: "F25",
    what: "the process stands still beyond its leases and continues",
    shown: [
      ["test/faults/clock-jumps.test.ts", "an agent at work outlives a clock that"],
      ["test/engine/outbox/fencing.test.ts", "is not done, and a decision says so"],
      [
        "test/journeys/serve.test.ts",
        "lets no second process use its data directory, and continues after a kill",
      ],
    ],
  },
  {
    id: "F26",
    what: "the event loop is blocked for 20 s",
    shown: [["test/engine/breakers/liveness.test.ts", "fault that the host stood still"]],
  },
  {
    id: "F27",
    what: "the clock is set an hour forward or back; summer time",
    shown: [["test/faults/clock-jumps.test.ts", "a sleeper wakes once after a clock that was set"]],
    not: "all times are milliseconds since the epoch, so summer time changes none of them",
  },
  {
    id: "F28",
    what: "the kernel kills the agent or the host for memory",
    shown: [
      ["test/contracts/agent-runtime-ends.ts", "a killed process is noticed before the exchange"],
      ["test/engine/commands/stop.test.ts", "finds who was at work at a kill"],
    ],
  },
  {
    id: "F29",
    what: "two processes on one data directory",
    shown: [
      ["test/adapters/store/data-directory-lock.test.ts", "a second process is refused"],
      ["test/journeys/serve.test.ts", "lets no second process use its data directory"],
    ],
  },
  {
    id: "F30",
    what: "SIGTERM while agents are started; a second SIGTERM",
    shown: [
      ["test/engine/commands/stop.test.ts", "leaves no process behind that was only being opened"],
      ["test/journeys/serve.test.ts", "can be stopped in the middle of a model's answer"],
    ],
    not: "a second SIGTERM ends the process at once, which is F24",
  },
  {
    id: "F31",
    what: "an error that nobody expected in a handler",
    shown: [
      [
        "test/engine/sessions/driving-errors.test.ts",
        "counts an error of ours while it drives an agent like a crash",
      ],
      ["test/webhooks/delivery-failures.test.ts", "tries a failed delivery again after 5 s"],
    ],
    not: "a rejection that nobody handles ends the process, which is F24",
  },
  {
    id: "F32",
    what: "the runtime ends at its start or in a turn, hangs, floods, or says what is no message",
    shown: [
      ["test/adapters/runtimes/copilot/open-failures.test.ts", "because its process ends at once"],
      ["test/faults/broken-runtime.test.ts", "is a failed start that may be tried again"],
      ["test/engine/breakers/liveness.test.ts", "ends a deaf runtime after two probes"],
    ],
  },
  {
    id: "F33",
    what: "an agent's process ignores SIGTERM, forks twice and leaves its session",
    shown: [
      [
        "test/adapters/runtimes/copilot/stubborn-processes.test.ts",
        "is killed when the time to stop is over",
      ],
      ["test/contracts/runner.ts", "kills it 5 s later when it does not end"],
      ["test/adapters/sandbox/cycles.test.ts", "30 leave no process, mount, file or handle"],
      ["test/contracts/runner.ts", "leaves no daemon that began a session of its own and forked twice"],
    ],
  },
  {
    id: "F34",
    what: "a conversation that is cut off, missing, or cannot be read",
    shown: [
      [
        "test/adapters/runtimes/copilot/open-failures.test.ts",
        "whose conversation is damaged says so for good",
      ],
      ["test/adapters/runtimes/copilot/open-failures.test.ts", "whose log is empty is begun again"],
      ["test/engine/recovery/crashes.test.ts", "hands a damaged conversation over to a new one"],
    ],
  },
  {
    id: "F35",
    what: "an endless loop of tool calls, a limit of money",
    shown: [
      ["test/contracts/agent-runtime.ts", "the gate ends a model that repeats itself at exactly the limit"],
      ["test/journeys/breakers.test.ts", "one that repeats itself gets one new conversation"],
    ],
  },
  {
    id: "F36",
    what: "the model answers 500 or 429, or stops in mid-stream",
    shown: [
      ["test/adapters/runtimes/copilot/model-error.test.ts", "and the consequence is"],
      ["test/engine/breakers/provider-park.test.ts", "lets one failure put all agents to sleep"],
      ["test/journeys/refused-hour.ts", "asks the next one within seconds each time, and all the hour"],
      ["test/engine/breakers/breakers-of-time.test.ts", "ends an exchange at max_active_duration"],
    ],
  },
  {
    id: "F37",
    what: "two prompts at once to one conversation",
    shown: [["test/contracts/agent-runtime-ends.ts", "exchanges of one session run one after the other"]],
  },
  {
    id: "F38",
    what: "kill -9 in the midst of any git command",
    shown: [
      ["test/adapters/git/crash.test.ts", "a kill -9 at git %s"],
      ["test/adapters/git/no-byte-lost.test.ts", "loses nothing at any step of a stop"],
    ],
  },
  {
    id: "F39",
    what: "locks that a dead git left",
    shown: [
      ["test/adapters/git/crash.test.ts", "locks that a dead git left in the worktree"],
      ["test/adapters/git/crash.test.ts", "locks on refs from before this process"],
    ],
  },
  {
    id: "F40",
    what: "a race of pushes, a push of a person, a base branch that was rewritten",
    shown: [
      ["test/adapters/git/person-pushes.test.ts", "overwrites no commit that a person pushes"],
      ["test/faults/broken-repository.test.ts", "a base branch that a person has rewritten"],
    ],
  },
  {
    id: "F41",
    what: "a mirror that is damaged or has lost objects",
    shown: [
      ["test/faults/broken-repository.test.ts", "has lost its objects fetches them again"],
      ["test/faults/broken-repository.test.ts", "whose objects were cut off says what to do"],
      ["test/adapters/git/crash.test.ts", "a lost mirror is fetched again"],
    ],
  },
  {
    id: "F42",
    what: "the worktree is deleted, made read-only or full while its agent works",
    shown: [
      ["test/faults/broken-repository.test.ts", "no deletion of everything, and comes back"],
      ["test/adapters/git/checkout.test.ts", "not even what commands made read-only"],
    ],
    not: "a full disk refuses the agent's own writes; git's fail whole, and an archive is read back before anything goes",
  },
];
