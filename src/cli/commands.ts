import type { Command } from "./command.ts";
import { agents } from "./commands/agents.ts";
import { backup } from "./commands/backup.ts";
import { check } from "./commands/check.ts";
import { deliveries } from "./commands/deliveries.ts";
import { demo } from "./commands/demo.ts";
import { diagram } from "./commands/diagram.ts";
import { doctor } from "./commands/doctor.ts";
import { drain } from "./commands/drain.ts";
import { explain } from "./commands/explain.ts";
import { goals } from "./commands/goals.ts";
import { init } from "./commands/init.ts";
import { ledger } from "./commands/ledger.ts";
import { migrateStore } from "./commands/migrate-store.ts";
import { notices } from "./commands/notices.ts";
import { onboard } from "./commands/onboard.ts";
import { pause, resume } from "./commands/pause.ts";
import { replay } from "./commands/replay.ts";
import { report } from "./commands/report.ts";
import { roles } from "./commands/roles.ts";
import { runtimes } from "./commands/runtimes.ts";
import { serve } from "./commands/serve.ts";
import { support } from "./commands/support.ts";
import { tasks } from "./commands/tasks.ts";
import { SCRIPTS } from "./completion-scripts.ts";
import { completionsOf } from "./completion-words.ts";
import { printText } from "./printer.ts";
import { refused } from "./refused.ts";

/** Every command of the command line, in the order of its help. */
export const commands: readonly Command[] = [
  serve,
  demo,
  init,
  check,
  roles,
  runtimes,
  doctor,
  agents,
  tasks,
  goals,
  explain,
  report,
  onboard,
  pause,
  resume,
  drain,
  deliveries,
  notices,
  replay,
  ledger,
  backup,
  migrateStore,
  support,
  diagram,
  completionOf(() => commands),
];

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Returns `flotilla completion` for the given commands, including itself. */
export function completionOf(all: () => readonly Command[]): Command {
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
      const script = SCRIPTS[shell](completionsOf(all()));
      if (options["json"] === true) print(JSON.stringify({ shell, script }));
      else printText(print, script);
      return 0;
    },
  };
}
