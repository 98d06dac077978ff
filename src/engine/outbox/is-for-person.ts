import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";

/**
 * Returns whether a person waits for what the row writes: it comes from the same request, at the same moment,
 * as the answer to a command on the issue. Such a comment may use the reserved part of GitHub's rate limit.
 */
export async function isForPerson(
  { effects }: Pick<Tables, "effects">,
  { lane, createdAt }: Pick<EffectRow, "lane" | "createdAt">,
): Promise<boolean> {
  const answers = await effects.find({ lane, kind: "react" });
  return answers.some((answer) => answer.createdAt === createdAt);
}
