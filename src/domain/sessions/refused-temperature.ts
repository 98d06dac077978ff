import type { Role } from "../agents/role.ts";
import type { ExchangeEnd } from "../ports/agent-runtime.ts";

/**
 * Says what to change where the provider refuses a call because of its temperature. `chosen` is the temperature of the
 * start; null = the role's own was sent. Any other end stays as it is.
 */
export function explained(
  end: ExchangeEnd,
  { name, temperature: sent }: Pick<Role, "name" | "temperature">,
  chosen: number | null,
): ExchangeEnd {
  const names = end.kind === "model_error" && end.reason === "invalid_request";
  if (sent === undefined || !names || !/temperature/i.test(end.detail)) return end;
  const change =
    chosen === null
      ? `Change \`temperature\` in the role file of ${name}, or take it out.`
      : `Say \`/flotilla start ${name}\` with another \`temperature=\`, or without it for the \`temperature\` of the role file.`;
  const detail = `the provider does not take the temperature ${sent} of ${name} with this model. ${change} The provider says: ${end.detail}`;
  return { ...end, detail };
}
