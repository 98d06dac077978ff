import { randomUUID } from "node:crypto";
import type { ModelRequest } from "./model-request.ts";
import type { ScriptStep } from "./script.ts";

/** A call of a tool by the name under which the request offers it. */
interface AnswerCall {
  /** Letters and digits, new for each call. */
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says to a request, before it is written as an API has it. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  /** Estimated at four characters a token, so that they grow with the conversation as real ones do. */
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** The answer to a request that offers no tools: agents ask so for the title of a conversation. */
export const TITLE: ScriptStep = { say: "A title" };

export function answerOf(request: ModelRequest, step: ScriptStep): Answer {
  const text = step.say ?? "";
  const calls = (step.call ?? []).map(({ tool, args }) => ({
    id: randomUUID().replaceAll("-", ""),
    name: offeredName(request.tools, tool),
    args,
  }));
  const read = request.messages.reduce((sum, { content }) => sum + content.length, 0);
  const written = text.length + JSON.stringify(calls).length;
  return { text, calls, promptTokens: Math.ceil(read / 4), answerTokens: Math.ceil(written / 4) };
}

/**
 * Returns the offered tool that a script means: it has the script's name, or that name behind `flotilla` and separators,
 * as agents write the tools of a server of that name. A name that nobody offers stays as it is: models err like that, too.
 */
function offeredName(offered: readonly string[], name: string): string {
  if (offered.includes(name)) return name;
  const behind = (tool: string): boolean =>
    tool.endsWith(name) && /(?:^|[^a-z])flotilla[^a-z]+$/i.test(tool.slice(0, -name.length));
  return offered.find(behind) ?? name;
}
