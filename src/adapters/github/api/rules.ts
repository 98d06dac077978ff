import { z } from "zod";

/** The demands of one rule of a branch. Rules of unknown types make no demand that concerns us. */
interface BranchRule {
  readonly type: string;
  readonly requiredChecks: readonly string[];
  readonly upToDate: boolean;
  readonly approvals: number;
}

const parametersShape = z.object({
  required_status_checks: z.array(z.object({ context: z.string() })).optional(),
  strict_required_status_checks_policy: z.boolean().optional(),
  required_approving_review_count: z.int().optional(),
});

/** Fields that a rule of this type always has if it has parameters: a missing one must not count as no demand. */
const NEEDED: ReadonlyMap<string, readonly (keyof typeof parametersShape.shape)[]> = new Map([
  ["required_status_checks", ["required_status_checks", "strict_required_status_checks_policy"]],
  ["pull_request", ["required_approving_review_count"]],
]);

const ruleShape = z
  .object({ type: z.string(), parameters: parametersShape.nullish() })
  .transform(({ type, parameters }, context): BranchRule => {
    const given = parameters ?? undefined;
    for (const field of given === undefined ? [] : (NEEDED.get(type) ?? []))
      if (given?.[field] === undefined)
        context.addIssue({ code: "custom", path: ["parameters", field], message: "it is missing" });
    return {
      type,
      requiredChecks: (given?.required_status_checks ?? []).map((check) => check.context),
      upToDate: given?.strict_required_status_checks_policy ?? false,
      approvals: given?.required_approving_review_count ?? 0,
    };
  });

/** One page of a branch's rules. */
export const rulesShape = z.array(ruleShape);
