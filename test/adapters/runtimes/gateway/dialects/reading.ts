import { AnswerValues } from "../../../../../src/adapters/runtimes/gateway/answer-values.ts";
import type { AnswerPart, Dialect } from "../../../../../src/adapters/runtimes/gateway/dialects/dialect.ts";

export const events = (list: readonly object[], newline = "\n") =>
  list
    .map((event) => {
      const type: unknown = Reflect.get(event, "type");
      const name = typeof type === "string" ? `event: ${type}${newline}` : "";
      return `${name}data: ${JSON.stringify(event)}${newline}${newline}`;
    })
    .join("");

/** What is read of an answer that arrives in chunks of `size` bytes. */
export function read(dialect: Dialect, text: string, size = text.length) {
  const [values, answer] = [new AnswerValues(), dialect.answer()];
  const bytes = Buffer.from(text);
  const parts: AnswerPart[] = [];
  const see = (found: readonly object[]) => {
    for (const value of found) parts.push(...answer.see(value));
  };
  for (let at = 0; at < bytes.length; at += size) see(values.add(bytes.subarray(at, at + size)));
  see(values.end());
  const texts = parts.flatMap((part) => (part.type === "text" ? part.text : []));
  return { text: answer.text(), calls: answer.calls(), fault: answer.fault(), parts, texts };
}
