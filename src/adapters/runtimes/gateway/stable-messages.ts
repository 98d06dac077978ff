/**
 * Returns the messages of a request in one form: without the fields that the runtime adds when it reads a conversation
 * from disk, which strict providers refuse, and without a refusal that is null, which it then leaves out.
 */
export function plainMessages(messages: readonly unknown[]): readonly unknown[] {
  return messages.map((message) =>
    typeof message !== "object" || message === null
      ? message
      : Object.fromEntries(
          Object.entries(message).filter(
            ([name, value]) => !name.startsWith("__copilot") && !(name === "refusal" && value === null),
          ),
        ),
  );
}

/**
 * Returns the conversation that continues `sent` by what is new in `built`, both in the plain form of chat
 * completions. `built` was read from disk: there the answer of a failed tool can be another one, and remarks that
 * followed a tool's answer are missing. Returns `built` where it is not the same conversation.
 */
export function continued(sent: readonly unknown[], built: readonly unknown[]): readonly unknown[] {
  let at = 0;
  for (const [index, message] of sent.entries()) {
    if (isSame(message, built[at])) at += 1;
    else if (!isRemark(sent, index)) return built;
  }
  return [...sent, ...built.slice(at)];
}

function isSame(one: unknown, other: unknown): boolean {
  const answers = answeredCall(one);
  return answers === undefined
    ? JSON.stringify(one) === JSON.stringify(other)
    : answers === answeredCall(other);
}

/** Returns whether the runtime, not a person or the host, has added the message: it follows a tool's answer. */
function isRemark(messages: readonly unknown[], index: number): boolean {
  if (fieldOf(messages[index], "role") !== "user") return false;
  return answeredCall(messages[index - 1]) !== undefined || isRemark(messages, index - 1);
}

/** Returns the id of the call that a tool's message answers; undefined for any other message. */
function answeredCall(message: unknown): unknown {
  return fieldOf(message, "role") === "tool" ? fieldOf(message, "tool_call_id") : undefined;
}

function fieldOf(message: unknown, name: string): unknown {
  return typeof message === "object" && message !== null ? Reflect.get(message, name) : undefined;
}
