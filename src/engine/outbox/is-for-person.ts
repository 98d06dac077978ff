import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";

/**
 * Whether a person waits for what the row writes: it came of the same fact as the answer to a command on that issue, so at
 * the same moment. Such a comment may take what is kept back of GitHub's limits.
 */
export async function isForPerson(
  { effects }: Pick<Tables, "effects">,
  { lane, createdAt }: Pick<EffectRow, "lane" | "createdAt">,
): Promise<boolean> {
  const answers = await effects.find({ lane, kind: "react" });
  return answers.some((answer) => answer.createdAt === createdAt);
}
