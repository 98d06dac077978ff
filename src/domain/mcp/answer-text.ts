import { untrusted } from "../conversation/untrusted.ts";
import type { McpAnswer } from "../ports/mcp-servers.ts";

/** Characters of one answer that a model reads. */
const LONGEST_ANSWER = 20_000;

/** Returns an MCP server's answer as the model reads it: cut, and under the marks of texts of others. */
export function answerText(server: string, { ok, parts }: McpAnswer): string {
  const whole = parts.map((part) => ("text" in part ? part.text : `[${part.other} left out]`)).join("\n");
  const text = untrusted(whole.slice(0, LONGEST_ANSWER));
  const cut =
    whole.length > LONGEST_ANSWER
      ? `\n${whole.length - LONGEST_ANSWER} more characters are left out: ask for less.`
      : "";
  if (text === "")
    return ok ? `${server} answered with nothing.` : `${server} reports a failure, without a reason.`;
  return `${ok ? "" : `${server} reports a failure: `}${text}${cut}`;
}
