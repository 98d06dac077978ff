import { GitHubError } from "../../core/errors.ts";
import type { GitHub } from "../../core/ports/github.ts";
import { type Answers, questionOf } from "../../core/replay/recorded-answers.ts";

/** GitHub as it answered then, and the questions that were not asked then. It has no way to the network. */
export interface RecordedGitHub {
  readonly github: GitHub;
  /** Questions to which the record has no answer, in the order in which they were asked. */
  readonly missing: string[];
}

export function recordedGitHub(answers: Answers): RecordedGitHub {
  const missing: string[] = [];
  const ask = (method: string, given: readonly unknown[]): Promise<unknown> => {
    const question = questionOf(method, given);
    const answer = answers[question];
    if (answer === undefined) {
      missing.push(question);
      return Promise.reject(refusal("unavailable", `what GitHub answers to ${question} is not on record`));
    }
    if ("refused" in answer) return Promise.reject(refusal(answer.refused.code, answer.refused.message));
    return Promise.resolve(answer.answer);
  };
  const port: object = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...given: readonly unknown[]) =>
          ask(String(name), given),
    },
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member answers as the port did when it was recorded
  return { github: port as GitHub, missing };
}

/** As much of it as decisions look at: where GitHub has no such API they go another way. */
function refusal(code: string, message: string): GitHubError {
  const known = code === "unsupported" ? "unsupported" : "unavailable";
  return new GitHubError(known, message, 0, { consequence: "retry" });
}
