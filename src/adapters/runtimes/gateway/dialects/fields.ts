import type { Fault } from "./dialect.ts";

/** Returns a field of a value that came from outside; undefined where there is none. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? Reflect.get(found, name)
        : undefined,
    value,
  );
}

export function listIn(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = field(value, ...names);
  return Array.isArray(found) ? found : [];
}

export function textIn(value: unknown, ...names: readonly string[]): string {
  const found = field(value, ...names);
  return typeof found === "string" ? found : "";
}

/** Returns the field as an object whose fields may be set, where it is one. */
export function objectIn(value: unknown, ...names: readonly string[]): object {
  const found = field(value, ...names);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? found : {};
}

/** Returns the arguments of a call; text that is no JSON stays text, and no text means no arguments. */
export function argsOf(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the text of a content that is a text, or a list of parts with texts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content
        .map((part) => textIn(part, "text"))
        .filter((text) => text !== "")
        .join("\n")
    : "";
}

/** Returns the body without the fields. */
export function without(body: object, ...names: readonly string[]): object {
  return names.some((name) => Object.hasOwn(body, name))
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
    : body;
}

/** Writes a stream of server-sent events; an event with a `type` is named by it. */
export function streamOf(events: readonly object[], { named }: { readonly named: boolean }): string {
  return events
    .map((event) => {
      const name = named ? `event: ${textIn(event, "type")}\n` : "";
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
}

export const EVENTS = "text/event-stream";
export const JSON_TYPE = "application/json";

/**
 * Returns the body with these of its tools. Providers refuse a list that is empty, and a choice where there is none.
 */
export function withTools(body: object, tools: readonly unknown[]): object {
  if (!Object.hasOwn(body, "tools")) return body;
  return tools.length > 0 || listIn(body, "tools").length === 0
    ? { ...body, tools }
    : without(body, "tools", "tool_choice", "toolConfig");
}

/** Adds a part to a content that is a text or a list of parts. */
export function appendContent(target: object, name: string, part: { type: string; text: string }): void {
  const content = field(target, name);
  const longer = Array.isArray(content)
    ? [...content, part]
    : `${typeof content === "string" ? content : ""}${part.text}`;
  Reflect.set(target, name, longer);
}

/** Returns the error that a provider puts into an answer that had begun. */
export function faultIn(error: unknown): Fault | null {
  if (typeof error !== "object" || error === null) return null;
  const code = field(error, "code");
  return {
    code:
      textIn(error, "type") || (typeof code === "string" ? code : "") || textIn(error, "status") || "error",
    message: textIn(error, "message") || "the provider broke off its answer",
  };
}
