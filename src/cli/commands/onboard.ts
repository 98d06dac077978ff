import { loadConfig } from "../../config/load-config.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import { PROPOSAL_TITLE } from "../../domain/onboarding/onboarding-body.ts";
import { proposalWords } from "../../domain/onboarding/onboarding-words.ts";
import { PROPOSED_FILE } from "../../domain/onboarding/proposed.ts";
import { doneOn } from "../../server/control/done-on.ts";
import { proposalStatus, writtenProposal } from "../../server/onboarding/proposal.ts";
import { proposed, unknownRepositoryText } from "../../server/onboarding/propose-config.ts";
import { systemClock } from "../../server/system-clock.ts";
import { ask, operator } from "../ask.ts";
import type { Command, CommandContext } from "../command.ts";
import { reading } from "../data-directory.ts";
import { DECLARED } from "../declared.ts";
import { printText } from "../printer.ts";
import { working } from "../progress.ts";
import { readingGitHub } from "../reading-github.ts";
import { refused, refusedBy } from "../refused.ts";

const USAGE = "flotilla onboard owner/name [--again] [--print]";

export const onboard: Command = {
  name: "onboard",
  summary: "open a pull request that proposes .github/flotilla.yml to a repository",
  usage: USAGE,
  details: [
    "Opens one pull request that adds this file: setup and acceptance commands that the repository's own files suggest, and everything else as comments. The pull request's text explains what Flotilla is, what starts which role, how far agents may go there, what Flotilla would have done on the last 30 issues and what it may cost. It changes nothing else. docs/levels.md says more.",
    "While that pull request is open, the command prints its address again. After people have closed it, only --again opens another one. At a level below draft Flotilla opens no pull request; --print works at any level.",
  ],
  options: {
    again: {
      type: "boolean",
      says: "open a new pull request after people closed the last one or removed the file",
    },
    print: {
      type: "boolean",
      says: "show the file and the text, and write nothing; works while Flotilla is stopped",
    },
  },
  examples: ["flotilla onboard acme/shop --print", "flotilla onboard acme/shop"],
  async run(context) {
    const { args, options } = context;
    const [name] = args;
    if (args.length !== 1 || name === undefined || parseFullName(name) === undefined)
      return refused(context, `Say \`${USAGE}\`.`);
    const again = options["again"] === true;
    if (options["print"] === true) return printed(context, name, again);
    return ask(context, "/onboard", { repository: name, again, by: operator() }, (answer) => {
      const { state, url, repository } = proposed.parse(answer);
      if (state === "opened")
        return `Opened ${url}: merge it to have the file in force, or close it to decline.`;
      if (state === "open") return `${url} is open and waits for people.`;
      return `The pull request for ${repository} is under way; GitHub takes its time. Ask again in a minute.`;
    });
  },
};

async function printed(context: CommandContext, name: string, again: boolean): Promise<number> {
  const all = await reading(context, (store) => store.repositories.all());
  const repository = all.find((one) => fullName(one).toLowerCase() === name.toLowerCase());
  if (repository === undefined)
    return refusedBy(context, { code: "not_proposed", ...unknownRepositoryText(name) });
  const { config } = loadConfig({ ...context, ...DECLARED });
  const { redact, ...tools } = readingGitHub(context, config);
  const proposal = await proposalStatus({ ...tools, settings: config }, repository, again);
  const written = await working("issues are read", ({ show }) =>
    writtenProposal(
      {
        ...tools,
        show,
        settings: config,
        known: ({ id }, issues) => reading(context, (store) => doneOn(store, id, issues)),
        now: systemClock.now(),
      },
      repository,
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
