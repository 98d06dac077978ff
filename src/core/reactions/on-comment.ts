import { VERBS } from "../command.ts";
import { NO_GRANT } from "../grant.ts";
import { isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { isCoder, type Role, roleForLabel } from "../role.ts";
import { inlineCode } from "../text/inline-code.ts";
import { answer, answered } from "./answered.ts";
import { numberIn, overCeiling, roundsFor, withCause } from "./grant-for.ts";
import { answers, questionOfReply } from "./on-answer.ts";
import { commandReactions } from "./on-command.ts";
import { startsDraft, waitsInDraft } from "./on-draft-label.ts";
import { wake } from "./on-issue.ts";
import { marksRefused, readStart, saidBy, setsMarks } from "./on-set.ts";
import { startRole } from "./start-role.ts";
import { startsBlocked } from "./steer.ts";

type Commented = OccurrenceOf<"commented">;

/** A command, an answer to an escalated agent, a message to a live one, or just talk. */
export function onCommented(occurrence: Commented, view: View): Reaction {
  const { command } = occurrence;
  const by = `@${occurrence.actor.login}`;
  if (!occurrence.permitted)
    return decided(
      command === null && !occurrence.mention ? "talk" : "not_permitted",
      `${by} has no write permission here`,
    );
  if (command === null) return onWords(occurrence, view);
  if (command.verb === "unknown") {
    const meant = command.nearest === null ? "" : ` Did you mean \`/flotilla ${command.nearest}\`?`;
    const given = inlineCode(command.given, 60);
    return joined(
      decided("unknown_command", `there is no command ${given}`),
      answer(
        occurrence,
        `There is no command ${given}.${meant}\n\nCommands: ${VERBS.map((verb) => `\`${verb}\``).join(", ")}.`,
      ),
    );
  }
  if (command.verb === "late")
    return joined(
      decided("late_command", `\`${command.given}\` is not the first line of the comment`, {
        change: "repeat it as the first line of a new comment",
      }),
      answer(
        occurrence,
        `\`${command.given}\` was not carried out: a command counts only as the first line of a comment, outside code and quotes. Say it again in a comment of its own, as the first line.`,
      ),
    );
  const reaction =
    command.verb === "start"
      ? onStart(occurrence, view, command.rest)
      : commandReactions[command.verb](occurrence, view, command.rest);
  return answered(occurrence, command.verb, reaction);
}

function onWords(occurrence: Commented, view: View): Reaction {
  const live = view.agents.filter(isLive);
  const question = questionOfReply(occurrence, view);
  const escalated = live.filter(({ state, id }) => state === "ESCALATED" && id !== question?.agentId);
  const said = `@${occurrence.actor.login} says (${occurrence.url}):\n\n${occurrence.body}`;
  const answering: Reaction = {
    ...NOTHING,
    wakes: escalated.map((agent) =>
      wake(
        occurrence,
        agent,
        "answer",
        withCause(agent, said),
        roundsFor(agent, null, occurrence.actor.login),
      ),
    ),
  };
  if (question !== undefined)
    return joined(
      answering,
      answers(question, { text: occurrence.body, by: occurrence.actor.login, url: occurrence.url }, "reply"),
    );
  if (escalated.length > 0) return answering;
  if (!occurrence.mention) return decided("talk", "the comment neither commands nor mentions us");
  if (live.length === 0)
    return decided("nobody_concerned", "no agent works on this issue", {
      change: "label it, or say `/flotilla start`",
      shown: true,
    });
  return { ...NOTHING, wakes: live.map((agent) => wake(occurrence, agent, "message", said)) };
}

/** `/flotilla start [role] [ttl=8h tag=x …]`: the one named role, wherever it stands, or the one that the issue's labels name. */
function onStart(occurrence: Commented, view: View, rest: string): Reaction {
  const { roles } = view.settings;
  const { names: given, marks, turns: typed } = readStart(rest);
  const [name = "", second] = given;
  if (marks !== undefined && "fault" in marks) return marksRefused(marks.fault);
  const turns = typed === undefined ? undefined : turnsTyped(typed, view);
  if (typeof turns === "object") return turns;
  if (second !== undefined)
    return decided(
      "unknown_role",
      `a start takes one role; these are more: ${inlineCode(given.join(" "), 60)}`,
      {
        change: "say `/flotilla start <role>` once for each role",
      },
    );
  const draft = startsDraft(occurrence, view);
  // Whoever waits for the draft begins, whatever the issue's labels say.
  const waiting = waitsInDraft(view, name);
  if (draft !== null && waiting.length > 0 && turns !== undefined)
    return decided(
      "marks_refused",
      `${waiting.map((agent) => agent.name).join(", ")} was made with its turns`,
      {
        change: "say `/flotilla start` without `turns`, and `/flotilla budget +N turns` once it works",
      },
    );
  if (draft !== null && waiting.length > 0)
    return marks === undefined
      ? draft
      : withMarks(draft, setsMarks(waiting, marks, saidBy(occurrence, rest)));
  const labelled = occurrence.issue.labels.flatMap((label) => roleForLabel(roles, label) ?? [])[0];
  const role: Role | undefined = name === "" ? labelled : roles.get(name);
  if (role === undefined) {
    const names = [...roles.values()]
      .filter((known) => known.evidence !== "verdict")
      .map(({ name: known }) => `\`${known}\``);
    const what =
      name === "" ? "no label of this issue names a role" : `there is no role ${inlineCode(name, 60)}`;
    const change = `say \`/flotilla start <role>\` with one of ${names.join(", ")}`;
    return decided("unknown_role", what, { change });
  }
  if ((marks ?? turns) !== undefined && role.evidence === "verdict")
    return decided("marks_refused", `nothing is set on ${role.name} before it works`, {
      change: "say `/flotilla set` once it works",
    });
  const by = { at: occurrence.at, actor: occurrence.actor.login };
  const { issue, personPull, strangersPulls } = occurrence;
  const set = { ...(marks === undefined ? {} : { marks }), ...(turns === undefined ? {} : { turns }) };
  const cause = { ...by, issue, personPull, strangersPulls, ...set };
  if (!isCoder(role)) return startRole(role, view, cause);
  return joined(draft ?? NOTHING, startsBlocked(role, view, cause) ?? startRole(role, view, cause));
}

/** The turns that one attempt may use, or why they are refused. */
function turnsTyped(typed: string, { settings }: View): number | Reaction {
  const turns = numberIn(typed);
  if (turns !== null) return overCeiling({ ...NO_GRANT, turns }, settings) ?? turns;
  return decided(
    "number_unreadable",
    `${inlineCode(`turns=${typed}`, 60)} is no whole number from 1 to 9999`,
    {
      change: "say `/flotilla start <role> turns=80`",
    },
  );
}

/** What is set on those that wait goes with their start, and a start of which that is refused is none. */
function withMarks(start: Reaction, set: Reaction): Reaction {
  return set.marks.length === 0 ? set : joined(start, set);
}
