import { wake } from "../agents/agent-changes.ts";
import { isLive } from "../agents/agent-record.ts";
import { startsDraft, waitsInDraft } from "../agents/on-draft-label.ts";
import { isCoder, isRetrospective, type Role, roleForLabel } from "../agents/role.ts";
import { refusedRuntime, runtimeOfNew } from "../agents/runtime-choice.ts";
import { readChoice } from "../agents/start-choice.ts";
import { startRole } from "../agents/start-role.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { isSeen } from "../messages/visible-text.ts";
import { answers, questionOfReply } from "../questions/on-answer.ts";
import { roleIn } from "../settings/runtime-use.ts";
import { baseRefused, keepsBase } from "../tasks/base-branch.ts";
import { VERBS } from "./command.ts";
import { answerUnread, withReaction } from "./command-answer.ts";
import { NO_GRANT } from "./extension.ts";
import { numberIn, overCeiling, roundsFor, withCause } from "./extension-of.ts";
import { messageFor } from "./message-for.ts";
import { commandHandlers } from "./on-command.ts";
import { refusedOnPull } from "./on-pull-command.ts";
import { readStart, saidBy, setsAttributes, startRefused } from "./on-set.ts";
import { startsBlocked } from "./steer.ts";

type Commented = DomainEventOf<"commented">;

/** Handles a comment: a command, an answer to an escalated agent, a message to a live one, or plain talk. */
export function onCommented(event: Commented, view: IssueState): ChangeSet {
  const { command } = event;
  const by = `@${event.actor.login}`;
  if (!event.permitted)
    return decisionOnly(
      command === null && !event.mention ? "talk" : "not_permitted",
      `${by} has no write permission here`,
    );
  if (command === null) return onWords(event, view);
  if (command.verb === "unknown") {
    const meant = command.nearest === null ? "" : ` Did you mean \`/flotilla ${command.nearest}\`?`;
    const given = inlineCode(command.given, 60);
    return mergeChanges(
      decisionOnly("unknown_command", `there is no command ${given}`),
      answerUnread(
        event,
        command.given,
        `There is no command ${given}.${meant}\n\nCommands: ${VERBS.map((verb) => `\`${verb}\``).join(", ")}.`,
      ),
    );
  }
  if (command.verb === "late")
    return mergeChanges(
      decisionOnly("late_command", `\`${command.given}\` is not the first line of the comment`, {
        change: "repeat it as the first line of a new comment",
      }),
      answerUnread(
        event,
        command.given,
        `\`${command.given}\` was not carried out: a command counts only as the first line of a comment, outside code and quotes. Say it again in a comment of its own, as the first line.`,
      ),
    );
  const changes =
    refusedOnPull(event, command.verb, view) ??
    (command.verb === "start"
      ? onStart(event, view, command)
      : commandHandlers[command.verb](event, view, command.rest, command.below ?? ""));
  return withReaction(event, command.verb, changes);
}

function onWords(event: Commented, view: IssueState): ChangeSet {
  if (!isSeen(event.body)) return decisionOnly("talk", "nothing in the comment can be seen");
  const live = view.agents.filter(isLive);
  const question = questionOfReply(event, view);
  const escalated = live.filter(({ state, id }) => state === "ESCALATED" && id !== question?.agentId);
  const said = `@${event.actor.login} says (${event.url}):\n\n${event.body}`;
  const answering: ChangeSet = {
    ...NO_CHANGES,
    wakes: escalated.map((agent) =>
      wake(event, agent, "answer", withCause(agent, said), roundsFor(agent, null, event.actor.login)),
    ),
  };
  if (question !== undefined)
    return mergeChanges(
      answering,
      answers(question, { text: event.body, by: event.actor.login, url: event.url }, "reply"),
    );
  if (escalated.length > 0) return answering;
  if (!event.mention) return decisionOnly("talk", "the comment neither commands nor mentions us");
  if (live.length === 0)
    return event.theirs === undefined
      ? decisionOnly("nobody_concerned", "no agent works on this issue", {
          change: "label it, or say `/flotilla start`",
          shown: true,
        })
      : decisionOnly("nobody_concerned", "no agent works on this pull request", {
          change: "say `/flotilla review` or `/flotilla fix`",
          shown: true,
        });
  return { ...NO_CHANGES, wakes: live.map((agent) => wake(event, agent, "message", said)) };
}

/**
 * Handles `/flotilla start [role] [on branch] [with runtime] [ttl=8h tag=x model=… …]`: starts the named role, wherever its name is in the text, or the
 * role that the issue's labels name. The agent reads the lines below.
 */
function onStart(
  event: Commented,
  view: IssueState,
  { rest, below }: { readonly rest: string; readonly below?: string },
): ChangeSet {
  const { roles } = view.settings;
  const words = below !== undefined && isSeen(below) ? messageFor(event, below) : null;
  const spaced = spacedTools(rest);
  if (spaced !== null) return spaced;
  const { names: given, attributes, chosen, base, runtime: asked } = readStart(rest);
  const [name = "", second] = given;
  if (attributes !== undefined && "fault" in attributes) return startRefused(attributes.fault);
  const turns = chosen.turns === undefined ? undefined : turnsTyped(chosen.turns, view);
  if (typeof turns === "object") return turns;
  if (second !== undefined)
    return decisionOnly(
      "unknown_role",
      `a start takes one role; these are more: ${inlineCode(given.join(" "), 60)}`,
      {
        change: "say `/flotilla start <role>` once for each role",
      },
    );
  const kept = base === undefined ? null : keepsBase(view, base);
  if (kept !== null) return kept;
  const draft = startsDraft(event, view);
  // An agent that waits for the draft begins, whatever the issue's labels say.
  const waiting = waitsInDraft(view, name);
  const fixed = Object.entries({ ...chosen, with: asked }).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  );
  if (draft !== null && waiting.length > 0 && fixed.length > 0)
    return decisionOnly(
      "marks_refused",
      `${waiting.map((agent) => agent.name).join(", ")} was made with its ${fixed.map((key) => (key === "with" ? "runtime" : key)).join(" and ")}`,
      {
        change: `say \`/flotilla start\` without ${fixed.map((key) => `\`${key}\``).join(" and ")}, or say \`/flotilla cancel\` first`,
      },
    );
  if (draft !== null && waiting.length > 0) {
    const told: ChangeSet = {
      ...NO_CHANGES,
      wakes: words === null ? [] : waiting.map((agent) => wake(event, agent, "message", words)),
    };
    return attributes === undefined
      ? mergeChanges(draft, told)
      : withAttributes(mergeChanges(draft, told), setsAttributes(waiting, attributes, saidBy(event, rest)));
  }
  const labelled = event.issue.labels.flatMap((label) => roleForLabel(roles, label) ?? [])[0];
  const role: Role | undefined = name === "" ? labelled : roles.get(name);
  if (role === undefined) {
    const names = [...roles.values()]
      .filter((known) => known.evidence !== "verdict")
      .map(({ name: known }) => `\`${known}\``);
    const what =
      name === "" ? "no label of this issue names a role" : `there is no role ${inlineCode(name, 60)}`;
    const change = `say \`/flotilla start <role>\` with one of ${names.join(", ")}`;
    return decisionOnly("unknown_role", what, { change });
  }
  const later = role.evidence === "verdict" || isRetrospective(role);
  if ((attributes !== undefined || fixed.length > 0) && later)
    return decisionOnly("marks_refused", `nothing is set on ${role.name} before it works`, {
      change: "say `/flotilla set` once it works",
    });
  if (base !== undefined && !isCoder(role))
    return baseRefused({
      fault: `${role.name} changes no code, so it works on no branch`,
      change: `say \`/flotilla start ${role.name}\` without \`on\``,
    });
  if (words !== null && later)
    return decisionOnly("marks_refused", `${role.name} reads no words before it works`, {
      change: `say \`/flotilla start ${role.name}\` alone, and write your words in a comment once it works`,
    });
  const refused = refusedRuntime(role, view, { asked, labels: event.issue.labels });
  if (refused !== null) return decisionOnly("choice_refused", refused.fault, { change: refused.change });
  const runtime = runtimeOfNew(role, view, { asked, labels: event.issue.labels });
  const choice = readChoice(chosen, roleIn(role, runtime, view.settings), view.settings);
  if ("fault" in choice) return decisionOnly("choice_refused", choice.fault, { change: choice.change });
  const by = { at: event.at, actor: event.actor.login };
  const { issue, personPull, strangersPulls } = event;
  const set = {
    ...(attributes === undefined ? {} : { attributes }),
    ...(turns === undefined ? {} : { turns }),
    ...(words === null ? {} : { words }),
  };
  const cause = { ...by, issue, personPull, strangersPulls, choice, runtime: asked, base, ...set };
  if (!isCoder(role)) return startRole(role, view, cause);
  return mergeChanges(draft ?? NO_CHANGES, startsBlocked(role, view, cause) ?? startRole(role, view, cause));
}

/** Refuses a list of tools with spaces, whose end would be read as the name of a role; null where there is none. */
function spacedTools(rest: string): ChangeSet | null {
  const written = /(?:^|\s)(tools=[^\s,]*(?:\s*,\s*[^\s,=]+(?=[\s,]|$))+)/.exec(rest)?.[1];
  if (written === undefined || !/\s/.test(written)) return null;
  return decisionOnly("choice_refused", `there is a space in ${inlineCode(written, 60)}`, {
    change: `write it without: ${inlineCode(written.replace(/\s+/g, ""), 60)}`,
  });
}

/** Returns the turns that one attempt may use, or why they are refused. */
function turnsTyped(typed: string, { settings }: IssueState): number | ChangeSet {
  const turns = numberIn(typed);
  if (turns !== null) return overCeiling({ ...NO_GRANT, turns }, settings) ?? turns;
  return decisionOnly(
    "number_unreadable",
    `${inlineCode(`turns=${typed}`, 60)} is no whole number from 1 to 9999`,
    {
      change: "say `/flotilla start <role> turns=80`",
    },
  );
}

/** Combines the start of waiting agents with their new attributes; when the attributes are refused, so is the start. */
function withAttributes(start: ChangeSet, set: ChangeSet): ChangeSet {
  return set.attributes.length === 0 ? set : mergeChanges(start, set);
}
