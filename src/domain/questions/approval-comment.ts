import { fenced, oneLine } from "../messages/format.ts";
import { type ApprovalRow, riskText, SHORT_HASH } from "./approval.ts";

/**
 * Returns the comment at a risky call: tool, arguments as a code block that they cannot end, hash, and the commands.
 */
export function approvalComment(role: string, asked: readonly ApprovalRow[]): string {
  const [first] = asked;
  const hash = first?.hash.slice(0, SHORT_HASH) ?? "";
  return [
    `**${role}** asks a person for permission before it continues.`,
    ...asked.flatMap((row) => [
      "",
      `\`${row.tool}\` \`${row.hash.slice(0, SHORT_HASH)}\`: ${oneLine(riskText(row))}`,
      "",
      fenced(row.input),
    ]),
    "",
    `\`/flotilla approve ${hash}\` allows exactly this call, once; \`/flotilla deny <reason>\` refuses it and tells the agent why; \`/flotilla cancel\` ends the agent.`,
  ].join("\n");
}
