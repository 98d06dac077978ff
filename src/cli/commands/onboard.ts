import { loadConfig } from "../../config/load-config.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { PROPOSAL_TITLE } from "../../domain/onboarding/onboarding-body.ts";
import { proposalWords } from "../../domain/onboarding/onboarding-words.ts";
import { PROPOSED_FILE } from "../../domain/onboarding/proposed.ts";
import type { ProposalTrial } from "../../domain/onboarding/trial.ts";
import { doneOn } from "../../server/control/done-on.ts";
import { proposalStatus, writtenProposal } from "../../server/onboarding/proposal.ts";
import { proposed, unknownRepositoryText } from "../../server/onboarding/propose-config.ts";
import { boundedTrial } from "../../server/onboarding/trial-request.ts";
import { systemClock } from "../../server/system-clock.ts";
import { operator, printed } from "../ask.ts";
import type { Command, CommandContext } from "../command.ts";
import { type ControlAnswer, control } from "../control-client.ts";
import { dataDirectory, reading } from "../data-directory.ts";
import { DECLARED } from "../declared.ts";
import { printText } from "../printer.ts";
import { working } from "../progress.ts";
import { readingGitHub } from "../reading-github.ts";
import { refused, refusedBy } from "../refused.ts";
import { tryProposal } from "./try-proposal.ts";

const USAGE = "flotilla onboard owner/name [--again] [--untried] [--print]";
const STOPPED = "Stopped. The checkout and what it loaded are removed, and nothing is proposed.";

export const onboard: Command = {
  name: "onboard",
  summary: "open a pull request that proposes .github/flotilla.yml to a repository",
  usage: USAGE,
  details: [
    "Opens one pull request that adds this file: setup and acceptance commands that the repository's own files suggest, and everything else as comments. First it tries these commands as `flotilla check --repo` does: once, in a clean checkout of the default branch, in the same sandbox as an agent. Those that do not succeed are proposed as comments, so that merging the file holds up no agent. After Ctrl-C nothing is proposed. Where nothing can be tried, the commands are proposed as they are.",
    "The pull request's text explains what Flotilla is, how each command ended and what Flotilla's proxy refused it, what starts which role, how far agents may go there, what Flotilla would have done on the last 30 issues and what it may cost. It changes nothing else. docs/levels.md says more.",
    "While that pull request is open, the command prints its address again. After people have closed it, only --again opens another one. At a level below draft Flotilla opens no pull request; --print works at any level, and tries the commands, too.",
  ],
  options: {
    again: {
      type: "boolean",
      says: "open a new pull request after people closed the last one or removed the file",
    },
    untried: { type: "boolean", says: "propose the commands without trying them" },
    print: {
      type: "boolean",
      says: "show the file and the text, and write nothing; works while Flotilla is stopped",
    },
  },
  examples: [
    "flotilla onboard acme/shop --print",
    "flotilla onboard acme/shop",
    "flotilla onboard acme/shop --untried",
  ],
  async run(context) {
    const { args, options } = context;
    const [name] = args;
    if (args.length !== 1 || name === undefined || parseFullName(name) === undefined)
      return refused(context, `Run \`${USAGE}\`.`);
    const again = options["again"] === true;
    if (options["print"] === true) return shown(context, name, again);
    const asks = (trial: ProposalTrial | null) =>
      control(dataDirectory(context), "/onboard", { repository: name, again, by: operator(), trial });
    if (options["untried"] === true) return printed(context, asks({ kind: "skipped" }), answered);
    // A trial may take minutes: first it is asked whether the file can be proposed at all.
    const first = asks(null);
    if (!(await first.then(isFree, () => false))) return printed(context, first, answered);
    const trial = await tried(context, name);
    return typeof trial === "number" ? trial : printed(context, asks(boundedTrial(trial)), answered);
  },
};

const isFree = ({ status, body }: ControlAnswer): boolean =>
  status === 200 && proposed.parse(body).state === "free";

function answered(answer: unknown): string {
  const { state, url, repository } = proposed.parse(answer);
  if (state === "opened") return `Opened ${url}: merge it to have the file in force, or close it to decline.`;
  if (state === "open") return `${url} is open and waits for people.`;
  return `The pull request for ${repository} is under way; GitHub takes its time. Ask again in a minute.`;
}

/** Tries the commands of a repository that is known here; returns the exit code where that was not done. */
async function tried(context: CommandContext, name: string): Promise<ProposalTrial | number> {
  const repository = await known(context, name);
  if (repository === undefined) return unknown(context, name);
  const { config } = loadConfig({ ...context, ...DECLARED });
  const trial = await tryProposal(context, { ...readingGitHub(context, config), config }, repository);
  return trial ?? stopped(context);
}

const known = async (context: CommandContext, name: string): Promise<RepositoryRow | undefined> =>
  (await reading(context, (store) => store.repositories.all())).find(
    (one) => fullName(one).toLowerCase() === name.toLowerCase(),
  );

const unknown = (context: CommandContext, name: string) =>
  refusedBy(context, { code: "not_proposed", ...unknownRepositoryText(name) });

const stopped = (context: CommandContext) =>
  refused(
    context,
    STOPPED,
    "Run it again, with --untried to propose the commands without trying them.",
    "stopped",
  );

async function shown(context: CommandContext, name: string, again: boolean): Promise<number> {
  const repository = await known(context, name);
  if (repository === undefined) return unknown(context, name);
  const { config } = loadConfig({ ...context, ...DECLARED });
  const reader = readingGitHub(context, config);
  const { redact, ...tools } = reader;
  const proposal = await proposalStatus({ ...tools, settings: config }, repository, again);
  const trial =
    context.options["untried"] === true
      ? ({ kind: "skipped" } as const)
      : await tryProposal(context, { ...reader, config }, repository);
  if (trial === null) return stopped(context);
  const written = await working("issues are read", ({ show }) =>
    writtenProposal(
      {
        ...tools,
        show,
        settings: config,
        publicUrl: config.environment.publicUrl,
        known: ({ id }, issues) => reading(context, (store) => doneOn(store, id, issues)),
        now: systemClock.now(),
      },
      repository,
      boundedTrial(trial),
    ),
  );
  const content = redact(written.content);
  const body = redact(written.body);
  const { print } = context;
  if (context.options["json"] === true)
    print(JSON.stringify({ standing: proposal, path: PROPOSED_FILE, content, title: PROPOSAL_TITLE, body }));
  else
    for (const text of [`--- ${PROPOSED_FILE}`, content, `--- ${PROPOSAL_TITLE}`, body, ""])
      printText(print, text);
  if (context.options["json"] !== true) print(`--- ${whatNow(proposal, fullName(repository))}`);
  return 0;
}

function whatNow(proposal: Awaited<ReturnType<typeof proposalStatus>>, name: string): string {
  if (proposal.kind === "free")
    return `Nothing was written. \`flotilla onboard ${name}\` would open this from ${proposal.branch}.`;
  if (proposal.kind === "open") return `Nothing was written. ${proposal.pull.url} is open already.`;
  const { why, hint } = proposalWords(proposal, name);
  return `Nothing was written. It would not be proposed now: ${why}; ${hint}.`;
}
