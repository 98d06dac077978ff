import type { Command } from "./command.ts";
import { SCRIPTS } from "./completion-scripts.ts";
import { completionsOf } from "./completion-words.ts";
import { printText } from "./printer.ts";
import { refused } from "./refused.ts";

/** What loads each command of the command line, by its name, in the order of its help. */
const LOADS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  demo: async () => (await import("./commands/demo.ts")).demo,
  init: async () => (await import("./commands/init.ts")).init,
  check: async () => (await import("./commands/check.ts")).check,
  roles: async () => (await import("./commands/roles.ts")).roles,
  runtimes: async () => (await import("./commands/runtimes.ts")).runtimes,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  agents: async () => (await import("./commands/agents.ts")).agents,
  tasks: async () => (await import("./commands/tasks.ts")).tasks,
  goals: async () => (await import("./commands/goals.ts")).goals,
  explain: async () => (await import("./commands/explain.ts")).explain,
  report: async () => (await import("./commands/report.ts")).report,
  onboard: async () => (await import("./commands/onboard.ts")).onboard,
  pause: async () => (await import("./commands/pause.ts")).pause,
  resume: async () => (await import("./commands/pause.ts")).resume,
  drain: async () => (await import("./commands/drain.ts")).drain,
  deliveries: async () => (await import("./commands/deliveries.ts")).deliveries,
  notices: async () => (await import("./commands/notices.ts")).notices,
  schedules: async () => (await import("./commands/schedules.ts")).schedules,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  replay: async () => (await import("./commands/replay.ts")).replay,
  trial: async () => (await import("./commands/trial.ts")).trial,
  ledger: async () => (await import("./commands/ledger.ts")).ledger,
  backup: async () => (await import("./commands/backup.ts")).backup,
  "migrate-store": async () => (await import("./commands/migrate-store.ts")).migrateStore,
  support: async () => (await import("./commands/support.ts")).support,
  diagram: async () => (await import("./commands/diagram.ts")).diagram,
  completion: async () => completionOf(everyCommand),
};

/** Loads every command of the command line, in the order of its help. */
export async function everyCommand(): Promise<readonly Command[]> {
  return Promise.all(Object.values(LOADS).map(async (load) => load()));
}

/**
 * Loads the command of that name alone, and every command if none has it: to load all of them takes longer than most of
 * them run.
 */
export async function commandsNamed(name: string | undefined): Promise<readonly Command[]> {
  const load = name !== undefined && Object.hasOwn(LOADS, name) ? LOADS[name] : undefined;
  return load === undefined ? everyCommand() : [await load()];
}

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Returns `flotilla completion` for the given commands, including itself. */
export function completionOf(all: () => Promise<readonly Command[]>): Command {
  return {
    name: "completion",
    summary: "print a completion script for your shell",
    usage: "flotilla completion bash | zsh | fish",
    details: ["The script knows the commands of this version: create it again after an upgrade."],
    verbs: {
      bash: "write it to ~/.local/share/bash-completion/completions/flotilla",
      zsh: "write it to a directory of $fpath, as _flotilla",
      fish: "write it to ~/.config/fish/completions/flotilla.fish",
    },
    options: {},
    examples: [
      "source <(flotilla completion bash)",
      "flotilla completion fish > ~/.config/fish/completions/flotilla.fish",
    ],
    async run(context) {
      const { args, options, print } = context;
      const shell = SHELLS.find((known) => known === args[0]);
      if (shell === undefined || args.length > 1)
        return refused(context, "Run `flotilla completion bash | zsh | fish`.");
      const script = SCRIPTS[shell](completionsOf(await all()));
      if (options["json"] === true) print(JSON.stringify({ shell, script }));
      else printText(print, script);
      return 0;
    },
  };
}
