import { z } from "zod";
import { reaches } from "../../domain/access/permission.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import {
  type AskedQuestion,
  deadlineOf,
  nextPerson,
  questionFault,
} from "../../domain/questions/question.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { clean } from "../kernel/run-events.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal, toolSuccess } from "./define-tool.ts";
import { recordIntent } from "./record-intent.ts";

const name = (description: string) =>
  text(80, description).regex(/^[^\r\n`]+$/, { error: "write one line without backticks" });

const option = z.union(
  [
    name("The answer in a few words"),
    z.strictObject({
      label: name("The answer in a few words"),
      destructive: z
        .boolean()
        .describe("True when what it leads to cannot be undone: then only a person may choose it")
        .optional(),
    }),
  ],
  { error: "write a name of at most 80 characters on one line without backticks, or {label, destructive}" },
);

const schema = z.strictObject({
  question: text(2000, "The question with what one must know to answer it; nobody has read what you have"),
  options: z
    .array(option)
    .min(2)
    .max(6)
    .describe(
      "Two to six choices, each with a name of its own; {label, destructive} for one that cannot be undone",
    ),
  recommended: name("The option that you would take").optional(),
  default: name(
    "The option that holds when nobody answers in time; never a destructive one. Without it you wait until a person answers",
  ).optional(),
  deadline: text(10, "How long you can wait, as 90m, 4h or 2d; leave it out for the usual time").optional(),
  who: z
    .string()
    .trim()
    .regex(/^@?[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, { error: "write a GitHub login" })
    .describe("Login of the one person who knows; leave it out when you are not sure")
    .optional(),
});

/**
 * Asks people a question that they answer with a click; `src/domain/questions/question.ts` says what can be
 * asked. Records who is asked and for how long. Redacts secrets here, because the text goes to GitHub.
 */
export const askHuman = defineTool({
  name: "ask_human",
  description:
    "Ask people one question that they can answer by choosing, when the work needs a decision that is not yours and the choices are clear. You sleep, and the answer wakes you with this conversation; people may answer in their own words instead. With a default you continue with that when nobody answers in time. When you cannot say what the choices are, use escalate_to_human. Ends your turn.",
  purpose:
    "ask people one question with two to six options and sleep until it is answered (not for ephemeral roles, even if the list names it)",
  schema,
  kind: "report",
  terminal: true,
  sanitize: {
    question: sanitizers.markdown,
    options: (options) =>
      options.map((one) =>
        typeof one === "string"
          ? sanitizers.name(one)
          : { label: sanitizers.name(one.label), destructive: one.destructive },
      ),
    recommended: sanitizers.name,
    default: sanitizers.name,
    deadline: sanitizers.exact,
    who: sanitizers.exact,
  },
  run: async (args, { context, agent }) => {
    const asked = questionOf(args);
    const fault = questionFault(asked);
    if (fault !== null) return toolRefusal(fault);
    const who = await whoIsAsked(context, agent, asked.who);
    if ("fault" in who) return toolRefusal(who.fault);
    const { ms: deadlineMs, note } = deadlineOf(asked, context.settings.questions.deadlineMs);
    const cleaned = (given: string | null) => (given === null ? null : clean(context, given));
    const answer = await recordIntent(
      { context, agent },
      {
        kind: "ask_human",
        question: clean(context, asked.question),
        options: asked.options.map((one) => ({ ...one, name: clean(context, one.name) })),
        recommended: cleaned(asked.recommended),
        defaultOption: cleaned(asked.default),
        deadlineMs,
        askedOf: who.askedOf,
      },
    );
    return note === null || !answer.ok ? answer : toolSuccess(`${answer.text} ${note}`);
  },
});

function questionOf({
  question,
  options,
  recommended,
  default: fallback,
  deadline,
  who,
}: z.output<typeof schema>): AskedQuestion {
  return {
    question,
    options: options.map((one) =>
      typeof one === "string"
        ? { name: one, destructive: false }
        : { name: one.label, destructive: one.destructive ?? false },
    ),
    recommended: recommended ?? null,
    default: fallback ?? null,
    deadline: deadline ?? null,
    who: who?.replace(/^@/, "") ?? null,
  };
}

/**
 * Returns whom to ask: the person that the call names, else the first of `escalation.notify`, else the
 * issue's author; nobody where none of them may answer, or while GitHub's limits do not let it be looked up.
 */
async function whoIsAsked(
  context: EngineContext,
  agent: AgentRecord,
  who: string | null,
): Promise<{ readonly askedOf: readonly string[] } | { readonly fault: string }> {
  const { github, settings } = context;
  const { whoMayCommand } = settings.policy;
  const named = who === null ? nextPerson(settings.escalation.notify, []) : null;
  if (named !== null) return { askedOf: [named] };
  try {
    const repository = await repositoryOf(context, agent.repositoryId);
    const login = who ?? (await authorOf(context, agent));
    if (login === null) return { askedOf: [] };
    if (reaches(await github.permission(repository, { login, id: null }), whoMayCommand))
      return { askedOf: [login] };
    return who === null
      ? { askedOf: [] }
      : {
          fault: `@${who} has no ${whoMayCommand} permission here, so an answer would not count. Name somebody who has it, or nobody.`,
        };
  } catch (error) {
    // While GitHub's limits forbid the look, all who may answer are asked: the question waits for GitHub anyway.
    if (error instanceof OutsideError && error.consequence === "park") return { askedOf: [] };
    return { fault: `GitHub could not be asked who may answer (${messageOf(error)}). Try again.` };
  }
}

/** Returns the issue's author; null for a bot, whose questions nobody would read. */
async function authorOf(context: EngineContext, agent: AgentRecord): Promise<string | null> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const { author } = await context.github.issue(repository, agent.issue);
  return author.type === "User" ? author.login : null;
}
