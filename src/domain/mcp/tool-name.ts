/** Between the names of server and tool. No server's name contains it, and no tool of ours or the runtime's. */
const BETWEEN = "__";
/** Characters of a tool's name that every model provider takes. */
const LONGEST_NAME = 64;
/** Tools of one server that agents may call. */
export const MOST_TOOLS = 40;

/** Returns the name by which agents call a server's tool. */
export function mcpToolName(server: string, tool: string): string {
  return `${server}${BETWEEN}${tool}`;
}

/** Returns server and tool of such a name; null for any other tool. */
export function partsOfTool(name: string): { readonly server: string; readonly tool: string } | null {
  const at = name.indexOf(BETWEEN);
  return at <= 0 ? null : { server: name.slice(0, at), tool: name.slice(at + BETWEEN.length) };
}

/** Returns what is wrong with a tool that the configuration allows; null when nothing is. */
export function toolNameFault(server: string, tool: string, isRepeated: boolean): string | null {
  if (isRepeated) return "is listed twice; take one out";
  if (!/^[A-Za-z0-9_-]+$/.test(tool))
    return "is not a name that models can call; only letters, digits, _ and - can be in it";
  const length = mcpToolName(server, tool).length;
  return length > LONGEST_NAME
    ? `is too long: with the server's name it has ${length} characters, and models take ${LONGEST_NAME}`
    : null;
}
