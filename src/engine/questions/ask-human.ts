import { reaches } from "../../domain/access/permission.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Intent } from "../../domain/ports/tool-host.ts";
import { type AskedQuestion, deadlineOf, questionFault } from "../../domain/questions/question.ts";
import { nextPerson } from "../../domain/questions/question-times.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { clean } from "../kernel/run-events.ts";

const nope = (text: string): ToolAnswer => ({ ok: false, text });

/**
 * `ask_human`: what cannot be asked goes back to the model with the reason; what can is recorded by `intend` with who is
 * asked and for how long. Secrets are taken out here: the text is for GitHub.
 */
export async function askHuman(
  context: EngineContext,
  agent: AgentRecord,
  asked: AskedQuestion,
  intend: (intent: Intent) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const fault = questionFault(asked);
  if (fault !== null) return nope(fault);
  const who = await whoIsAsked(context, agent, asked.who);
  if ("fault" in who) return nope(who.fault);
  const { ms: deadlineMs, note } = deadlineOf(asked, context.settings.questions.deadlineMs);
  const cleaned = (name: string | null) => (name === null ? null : clean(context, name));
  const answer = await intend({
    kind: "ask_human",
    question: clean(context, asked.question),
    options: asked.options.map((option) => ({ ...option, name: clean(context, option.name) })),
    recommended: cleaned(asked.recommended),
    defaultOption: cleaned(asked.default),
    deadlineMs,
    askedOf: who.askedOf,
  });
  return note === null || !answer.ok ? answer : { ok: true, text: `${answer.text} ${note}` };
}

/** Whom the call names, else the first of `escalation.notify`, else the issue's author; nobody where none of them may answer. */
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
    return { fault: `GitHub could not be asked who may answer (${messageOf(error)}). Try again.` };
  }
}

/** Null for a bot: nobody reads what it is asked. */
async function authorOf(context: EngineContext, agent: AgentRecord): Promise<string | null> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const { author } = await context.github.issue(repository, agent.issue);
  return author.type === "User" ? author.login : null;
}
