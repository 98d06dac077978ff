import type { CommandResult, Runner } from "../../src/domain/ports/runner.ts";
import { createFakeServices, type FakeServices } from "./services.ts";

interface End {
  readonly exitCode?: number | undefined;
  readonly timedOut?: boolean | undefined;
  readonly output?: string | undefined;
  readonly refusedHosts?: readonly string[];
  readonly refusals?: readonly string[];
}

/** An executed command: the shell line and its directory. */
interface RanCommand {
  readonly line: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly writable: readonly string[];
  readonly hosts: readonly string[];
  readonly registries: boolean;
}

/** Runs commands in memory. A line without an entry in `ends` succeeds. */
export interface FakeRunner extends Pick<Runner, "run" | "killMarked" | "services"> {
  /** The services of each command, the latest last. */
  readonly beside: FakeServices;
  readonly ran: readonly RanCommand[];
  readonly killed: readonly string[];
  /** Results of shell lines; tests may change them. `hang` runs until it is aborted. */
  readonly ends: Map<string, End | "hang" | Promise<End> | ((cwd: string) => End)>;
}

const ABORTED: CommandResult = {
  exitCode: null,
  signal: "SIGTERM",
  timedOut: false,
  output: "",
  durationMs: 1,
  refusedHosts: [],
  refusals: [],
};

export function createFakeRunner(): FakeRunner {
  const ran: RanCommand[] = [];
  const killed: string[] = [];
  const ends: FakeRunner["ends"] = new Map();
  const beside = createFakeServices();
  return {
    ran,
    killed,
    ends,
    beside,
    services: () => Promise.resolve(beside.make()),
    async run({ args, cwd, env }, { signal, writable, hosts, registries, services }) {
      const line = args.at(-1) ?? "";
      if (services !== undefined && !(await beside.released(services, signal))) return ABORTED;
      ran.push({ line, cwd, env, writable, hosts, registries });
      const given = ends.get(line) ?? {};
      const said = given instanceof Promise ? await given : given;
      const end = typeof said === "function" ? said(cwd) : said;
      if (end === "hang") {
        await new Promise<void>((resolve) => {
          if (signal.aborted) resolve();
          signal.addEventListener("abort", () => resolve());
        });
        return ABORTED;
      }
      const timedOut = end.timedOut ?? false;
      const result: CommandResult = {
        exitCode: timedOut ? null : (end.exitCode ?? 0),
        signal: timedOut ? "SIGTERM" : null,
        timedOut,
        output: end.output ?? "",
        durationMs: 1,
        refusedHosts: end.refusedHosts ?? [],
        refusals: end.refusals ?? [],
      };
      return result;
    },
    async killMarked(marks) {
      killed.push(...marks);
      return 0;
    },
  };
}
