import type { Ending } from "../agents/role.ts";
import type { EffectOf } from "../kernel/effect.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { endingWords } from "./lesson-brief.ts";
import type { LessonFact } from "./lesson-fact.ts";
import { LESSONS_FILE } from "./lesson-file.ts";

/** Whose word a cited fact is. */
const SOURCE: Readonly<Record<LessonFact["by"], string>> = {
  host: "This is a fact, not somebody's word.",
  agent: "This is an agent's word.",
  person: "This is the word of somebody with write permission.",
};

/** Returns the effect that proposes a lesson; all texts but the line are the host's. */
export function lessonProposal(options: {
  readonly line: string;
  readonly branch: string;
  readonly role: string;
  readonly issue: number;
  readonly pull: number | null;
  readonly ending: Ending;
  readonly cited: LessonFact;
}): EffectOf<"propose_lesson"> {
  const { line, branch, role, issue, pull, ending, cited } = options;
  const source = cited.url === null ? cited.words : `[${cited.words.replaceAll(/[[\]]/g, "")}](${cited.url})`;
  return {
    kind: "propose_lesson",
    branch,
    line,
    message: `Add a lesson from the work on #${issue}\n\nAdds one line to ${LESSONS_FILE}, which agents read before they work.`,
    title: `Lesson from the work on #${issue}`,
    body: [
      `This pull request adds one line to \`${LESSONS_FILE}\`, which agents read before they work in this repository, and changes nothing else:`,
      "",
      `> ${line}`,
      "",
      `**Why.** The work on #${issue} ${endingWords(ending, pull)}. Afterwards the role ${inlineCode(role)} looked back at it and proposed this line. It cites: ${source}. ${SOURCE[cited.by]}`,
      "",
      "**Read it with care.** A model wrote the line after it had read texts of people and the output of programs. Once it is merged, every agent here follows it.",
      "",
      '- **To accept it**, change it as you like, press "Ready for review" and merge.',
      "- **To refuse it**, close this pull request: the same line is not proposed again.",
      "",
      "Until you decide, no agent reads it, and Flotilla proposes no other lesson here.",
    ].join("\n"),
  };
}
