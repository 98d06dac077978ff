import { z } from "zod";
import { isRetrospective } from "../../domain/agents/role.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { LessonFact } from "../../domain/lessons/lesson-fact.ts";
import { LONGEST_LESSON, lessonBranch, lessonFault, lessonKey } from "../../domain/lessons/lesson-line.ts";
import { lessonProposal } from "../../domain/lessons/lesson-pull.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { clean } from "../kernel/run-events.ts";
import { type EndedWork, readEndedWork } from "../lessons/facts.ts";
import { knownLesson, lessonsFile, openLesson } from "../lessons/proposals.ts";
import type { ToolContext } from "../sessions/tool-context.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";

export const proposeLesson = defineTool({
  name: "propose_lesson",
  description:
    "Propose one line for AGENTS.md, which every later agent of this repository reads, with the one fact that it comes from. Only for a retrospective, once. It becomes a draft pull request that people merge or close.",
  purpose:
    "propose one line for the repository's `AGENTS.md`, by a draft pull request that cites what happened (retrospectives only)",
  schema: z.strictObject({
    line: text(LONGEST_LESSON, "One sentence that says what to do, and why; no link, no name of a person"),
    citation: text(
      200,
      "The name of the fact that it comes from, as in your first message, such as command-12",
    ),
  }),
  kind: "write",
  terminal: false,
  // The line is refused unless it is safe as it stands; the name is compared.
  sanitize: { line: sanitizers.exact, citation: sanitizers.exact },
  run: async ({ line, citation }, given) => {
    const { context, agent, role } = given;
    if (!isRetrospective(role)) return toolRefusal("Only a retrospective proposes lessons.");
    const fault = lessonFault(line);
    if (fault !== null) return toolRefusal(`Nothing is proposed. ${fault}`);
    if (clean(context, line) !== line) return toolRefusal("Nothing is proposed. It contains a secret.");
    const branch = lessonBranch(context.digest(lessonKey(line)));
    const found = await cited(given, { line, citation, branch });
    if ("refused" in found) return toolRefusal(`Nothing is proposed. ${found.refused}`);
    const { ended, fact } = found;
    return queueOutput(given, {
      effect: () =>
        lessonProposal({
          line,
          branch,
          role: role.name,
          issue: agent.issue,
          pull: ended.pull,
          ending: ended.ending,
          cited: fact,
        }),
      refusal: async ({ tables }) => {
        const rows = await tables.effects.find({ agentId: agent.id, kind: "propose_lesson" });
        // One that an earlier period left undone is proposed again.
        const counts = rows.some(
          ({ state, token }) => state === "done" || (token === agent.token && state !== "failed"),
        );
        return counts ? "You have proposed one already. Use report_complete." : null;
      },
      done: ({ number, not }) =>
        typeof not === "string"
          ? `Nothing is proposed: ${not}. Use report_complete.`
          : `Pull request #${String(number)} proposes it. Use report_complete.`,
    });
  },
});

/** Returns the fact that the citation names, or why the lesson is refused. */
async function cited(
  { context, agent }: ToolContext,
  { line, citation, branch }: { readonly line: string; readonly citation: string; readonly branch: string },
): Promise<{ readonly ended: EndedWork; readonly fact: LessonFact } | { readonly refused: string }> {
  try {
    const repository = await repositoryOf(context, agent.repositoryId);
    const ended = await readEndedWork(context, repository, agent.issue);
    if (ended === null) return { refused: "Work on the issue goes on. Use report_complete." };
    const fact = ended.facts.find(({ id }) => id === citation);
    if (fact === undefined) {
      const names = ended.facts.map(({ id }) => id).join(", ");
      return { refused: `Nothing of that name happened in this work. You can cite: ${names || "nothing"}.` };
    }
    const open = await openLesson(context, repository);
    if (open !== undefined)
      return { refused: `#${open.number} proposes a lesson already. Use report_complete.` };
    const file = await lessonsFile(context, repository);
    if ("fault" in file) return { refused: `${file.fault}. Use report_complete.` };
    const known = await knownLesson(context, repository, { line, branch, text: file.text });
    return known === null ? { ended, fact } : { refused: `${known}. Use report_complete.` };
  } catch (error) {
    return { refused: `GitHub could not be read: ${messageOf(error)}` };
  }
}
