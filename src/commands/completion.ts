import type { Command } from "./command.ts";
import { SCRIPTS } from "./completion-scripts.ts";
import { offered } from "./completion-words.ts";
import { printText } from "./printer.ts";
import { refused } from "./refused.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `flotilla completion`, for the commands that `all` gives, itself among them. */
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
        return refused(context, "Say `flotilla completion bash | zsh | fish`.");
      const script = SCRIPTS[shell](offered(all()));
      if (options["json"] === true) print(JSON.stringify({ shell, script }));
      else printText(print, script);
      return 0;
    },
  };
}
