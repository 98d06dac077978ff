import { z } from "zod";
import { duration } from "../duration.ts";

/** `escalation`: how a person is asked to act. */
export const escalationSchema = z
  .strictObject({
    label: z
      .string()
      .min(1)
      .max(50)
      .prefault("needs-human")
      .describe("Label of issues that wait for a person."),
    notify: z
      .array(
        z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*(\/[A-Za-z0-9_-]+)?$/, {
          error: "write a login or org/team without @",
        }),
      )
      .prefault([])
      .describe(
        "Logins, or teams as `org/team`, that are mentioned; the first is asked an agent's question, then the next.",
      ),
    remind_after: duration()
      .prefault("4h")
      .describe(
        "When people are reminded of what waits for them: who is asked a question (at half of its time at the latest), and the first of `notify` of an escalation, a review, an approval or a pause.",
      ),
    second_person_after: duration()
      .prefault("24h")
      .describe(
        "When the next of `notify` is asked too; of a question at three quarters of its time at the latest.",
      ),
  })
  .prefault({})
  .describe("How a person is asked to act.");

/** `attention`: how much people are asked to look at. */
export const attentionSchema = z
  .strictObject({
    open_prs: z
      .int()
      .min(1)
      .prefault(10)
      .describe(
        "Open pull requests of ours that await people, per repository and person, before no more work begins.",
      ),
  })
  .prefault({})
  .describe("How much people are asked to look at.");

/** `questions`: questions of agents. */
export const questionsSchema = z
  .strictObject({
    deadline: duration().prefault("48h").describe("How long a question stays open that names no deadline."),
  })
  .prefault({})
  .describe("Questions of agents to people.");

/** `policy`: who may do what. */
export const policySchema = z
  .strictObject({
    who_may_command: z
      .enum(["write", "maintain", "admin"])
      .prefault("write")
      .describe("Least permission of a person whose commands count."),
    read_untrusted: z
      .boolean()
      .prefault(false)
      .describe("May agents see text of people without write permission, and triage their issues."),
    bots: z
      .array(z.int({ error: "write the bot's numeric id" }).positive())
      .prefault([])
      .describe("Numeric ids of bots that may steer."),
    protected_paths: z
      .array(z.string().min(1))
      .prefault([".github/workflows/**", ".github/actions/**", "CODEOWNERS", ".github/CODEOWNERS"])
      .describe(
        "Paths that agents may not change without a person. A repository's own `.github/flotilla.yml` and `.github/flotilla/**` are always among them.",
      ),
    max_outputs: z
      .strictObject({
        comments: z.int().min(0).prefault(10).describe("Comments."),
        pull_requests: z.int().min(0).prefault(1).describe("Pull requests."),
        issues: z.int().min(0).prefault(3).describe("Issues."),
      })
      .prefault({})
      .describe("What one agent may put on GitHub at most."),
  })
  .prefault({})
  .describe("Who may do what.");
