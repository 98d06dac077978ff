import { z } from "zod";
import { duration } from "../duration.ts";
import { hostList } from "../host-list.ts";

const texts = () => z.array(z.string().min(1)).prefault([]);

/** `retries`: how often and how soon again. */
export const retriesSchema = z
  .strictObject({
    max_restarts: z
      .int()
      .min(0)
      .prefault(3)
      .describe("Restarts after the runtime died, before the agent fails."),
    coder_poll_interval: duration()
      .prefault("30s")
      .describe(
        "How often an issue is looked at whose coder waits for the label `draft` to be taken off, in case no webhook says so.",
      ),
  })
  .prefault({})
  .describe("How often and how soon again.");

/** `commits`: what stands in agents' commits. */
export const commitsSchema = z
  .strictObject({
    sign_off: z
      .boolean()
      .prefault(false)
      .describe("Adds a `Signed-off-by` of the App's bot to each commit, for projects that ask for one."),
  })
  .prefault({})
  .describe("What stands in agents' commits.");

/** `leases`: how long a claim holds without a sign of life. */
export const leasesSchema = z
  .strictObject({
    agent: duration().prefault("5m").describe("An agent's lease."),
    task: duration().prefault("30m").describe("A task's lease."),
  })
  .prefault({})
  .describe("How long a claim holds without a sign of life.");

/** `setup`: what prepares a worktree. */
export const setupSchema = z
  .strictObject({
    commands: texts().describe(
      "Commands before the first turn and when a lock file changes, such as `npm ci`.",
    ),
    network: hostList().describe("Hosts that they may reach, by HTTPS, such as `registry.npmjs.org`."),
    cache: z
      .array(
        z.string().regex(/^\w[\w.-]{0,59}$/, { error: "write a name, such as npm: letters, digits, _ . -" }),
      )
      .prefault([])
      .describe(
        "Names of directories below `$FLOTILLA_CACHE`, as in `npm ci --cache $FLOTILLA_CACHE/npm`, that all setups of one repository share, and no other repository. What one agent's setup writes there another's reads: for downloads that are checked when they are used.",
      ),
  })
  .prefault({})
  .describe("What prepares a worktree: confined, without secrets.");

/** `evidence`: what a completion must show. */
export const evidenceSchema = z
  .strictObject({
    commands: texts().describe(
      "Acceptance commands that the host runs on a clean checkout, such as `npm test`.",
    ),
    max_bounces: z
      .int()
      .min(0)
      .prefault(3)
      .describe("How often a completion without its evidence is sent back before a person is asked."),
    timeout: duration().prefault("10m").describe("Time limit of one command."),
    required_checks: texts().describe("GitHub checks that must be green on the head commit."),
    evaluator_threshold: z
      .number()
      .min(0)
      .max(1)
      .prefault(0.85)
      .describe("Least confidence of a role named `evaluator`, where one exists."),
  })
  .prefault({})
  .describe("What a completion must show.");

/** `review`: agents that review agents. */
export const reviewSchema = z
  .strictObject({
    required: z.boolean().prefault(false).describe("Work completes only with a review."),
    reviewers: z.int().min(1).prefault(1).describe("How many must approve."),
    max_cycles: z.int().min(1).prefault(5).describe("Rounds before a person is asked."),
    lease: duration().prefault("30m").describe("How long a reviewer holds its claim."),
  })
  .prefault({})
  .describe("Agents that review agents.");

/** `merge`: how pull requests are merged. */
export const mergeSchema = z
  .strictObject({
    auto: z.boolean().prefault(false).describe("Merge what is approved and green."),
    method: z.enum(["merge", "squash", "rebase"]).prefault("squash").describe("GitHub's merge method."),
  })
  .prefault({})
  .describe("How pull requests are merged.");

/** `checks`: GitHub checks of our pull requests. */
export const checksSchema = z
  .strictObject({
    flake_reruns: z
      .int()
      .min(0)
      .prefault(1)
      .describe(
        "Reruns on one commit of a check that is known to fail now and then, before its failure counts.",
      ),
  })
  .prefault({})
  .describe("GitHub checks of our pull requests.");
