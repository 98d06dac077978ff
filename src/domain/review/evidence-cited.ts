import type { ToolCallRow } from "../kernel/rows.ts";
import type { RuntimeTools } from "../ports/agent-runtime.ts";

/** A quotation shorter than that is found in anything. */
const LEAST = 3;

const plain = (text: string): string => text.replace(/^[`$\s]+|(?<![`\s])[`\s]+$/g, "").replace(/\s+/g, " ");

/**
 * What an agent really ran, oldest first: its commands, or for a role without a shell its calls of the runtime's tools
 * with what they were asked. A call that was denied, or whose end was not seen, ran nothing.
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

/** The input of a call is JSON, unless it was cut. */
function argumentsOf(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

const valuesOf = (asked: unknown, input: string): readonly string[] =>
  typeof asked === "object" && asked !== null ? Object.values(asked).map(String) : [input];

/** Those of the quoted commands that were run, alone or as a part of a longer one. */
export function citedAmong(quoted: readonly string[], ran: readonly string[]): readonly string[] {
  const known = ran.map(plain);
  return quoted.filter((text) => {
    const wanted = plain(text);
    return wanted.length >= LEAST && known.some((command) => command.includes(wanted));
  });
}
