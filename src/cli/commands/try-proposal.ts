import type { Config } from "../../config/load-config.ts";
import { readRepositoryFile } from "../../config/repository-file.ts";
import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import { proposedFile } from "../../domain/onboarding/onboarding-file.ts";
import type { ProposalTrial } from "../../domain/onboarding/trial.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
import { readSeen } from "../../server/onboarding/read-seen.ts";
import { sentence } from "../../server/start-checks/finding.ts";
import type { CommandContext } from "../command.ts";
import { working } from "../progress.ts";
import type { readingGitHub } from "../reading-github.ts";
import { sayer } from "../sayer.ts";
import { watchedTrial } from "./watched-trial.ts";

/**
 * Tries the commands that would hold with the proposed file, and prints how each ends. Returns null after Ctrl-C.
 * Throws `GitHubError`.
 */
export async function tryProposal(
  context: CommandContext,
  { config, ...tools }: ReturnType<typeof readingGitHub> & { readonly config: Config },
  repository: RepositoryRef,
): Promise<ProposalTrial | null> {
  const say = sayer(context);
  const seen = await working("GitHub is asked", () => readSeen(tools.github, repository));
  const { override } = readRepositoryFile(proposedFile(config, seen), config);
  const settings = override === undefined ? config : settingsFor(config, override);
  if (settings.setup.commands.length + settings.evidence.commands.length === 0) {
    say("No command is proposed or configured, so there is nothing to try.");
    return { kind: "skipped" };
  }
  say("Trying the commands in a checkout of the default branch, before they are proposed.");
  const { outcome, stopped } = await watchedTrial(context, { ...tools, config }, repository, settings);
  if (stopped) return null;
  if ("hindrance" in outcome) {
    say(`Nothing was tried. ${sentence(outcome.hindrance)}`);
    return { kind: "hindered", why: outcome.hindrance.what };
  }
  return { kind: "tried", commands: outcome.tried };
}
