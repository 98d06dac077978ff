import type { ToolCallRow } from "../kernel/rows.ts";
import { RUNTIME_TOOLS } from "../sessions/tool-names.ts";

/** A quotation shorter than that is found in anything. */
const LEAST = 3;

const plain = (text: string): string => text.replace(/^[`$\s]+|(?<![`\s])[`\s]+$/g, "").replace(/\s+/g, " ");

/**
 * What an agent really ran, oldest first: its commands, or for a role without a shell its calls of the runtime's tools
 * with what they were asked. A call that was denied, or whose end was not seen, ran nothing.
 */
export function ranTexts(
  calls: readonly Pick<ToolCallRow, "tool" | "input" | "status">[],
  { shell }: { readonly shell: boolean },
): readonly string[] {
  const tools: readonly string[] = shell ? ["bash"] : Object.values(RUNTIME_TOOLS).flat();
  return calls
    .filter(({ tool, status }) => tools.includes(tool) && (status === "success" || status === "failure"))
    .map(({ tool, input }) => {
      const asked = argumentsOf(input);
      return "command" in asked
        ? String(asked["command"])
        : [tool, ...Object.values(asked).map(String)].join(" ");
    });
}

/** The input of a call is JSON, unless it was cut. */
function argumentsOf(input: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(input);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : { input };
  } catch {
    return { command: input };
  }
}

/** Those of the quoted commands that were run, alone or as a part of a longer one. */
export function citedAmong(quoted: readonly string[], ran: readonly string[]): readonly string[] {
  const known = ran.map(plain);
  return quoted.filter((text) => {
    const wanted = plain(text);
    return wanted.length >= LEAST && known.some((command) => command.includes(wanted));
  });
}
