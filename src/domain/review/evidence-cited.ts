import type { ToolCallRow } from "../kernel/rows.ts";
import type { RuntimeTools } from "../ports/agent-runtime.ts";

/** A shorter quotation would match almost anything. */
const LEAST = 3;

const plain = (text: string): string => text.replace(/^[`$\s]+|(?<![`\s])[`\s]+$/g, "").replace(/\s+/g, " ");

/**
 * Returns what an agent really ran, oldest first: its commands, or for a role without a shell its calls of the
 * runtime's tools with their arguments. A denied call, and one whose end was not seen, does not count.
 */
export function ranTexts(
  calls: readonly Pick<ToolCallRow, "tool" | "input" | "status">[],
  { shell, runtimeTools }: { readonly shell: boolean; readonly runtimeTools: RuntimeTools },
): readonly string[] {
  return calls.flatMap(({ tool: name, input, status }) => {
    const tool = runtimeTools.get(name);
    if (tool === undefined || (status !== "success" && status !== "failure")) return [];
    if (shell ? tool.kind !== "shell" : tool.capability === null) return [];
    const asked = argumentsOf(input);
    if (asked === undefined) return [input];
    return tool.command?.(asked) ?? [name, ...valuesOf(asked, input)].join(" ");
  });
}

/** Parses the input of a call, which is JSON unless it was cut. */
function argumentsOf(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

const valuesOf = (asked: unknown, input: string): readonly string[] =>
  typeof asked === "object" && asked !== null ? Object.values(asked).map(String) : [input];

/** Returns those of the quoted commands that ran, alone or as a part of a longer one. */
export function citedAmong(quoted: readonly string[], ran: readonly string[]): readonly string[] {
  const known = ran.map(plain);
  return quoted.filter((text) => {
    const wanted = plain(text);
    return wanted.length >= LEAST && known.some((command) => command.includes(wanted));
  });
}
