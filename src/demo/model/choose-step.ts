import type { Conversation, Script, ScriptStep } from "./script.ts";

/** One message of a conversation as the model sees it; `content` is plain text. */
export interface ModelMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
}

/** The answer when the script has no more steps. */
const spent: ScriptStep = { say: "Nothing more to do." };

/**
 * Returns the step that answers these messages; undefined if no conversation of the script matches. Keeps no state
 * between requests: it replays the past from the messages, so a conversation continues at the right step after a
 * restart of either side.
 */
export function chooseStep(script: Script, messages: readonly ModelMessage[]): ScriptStep | undefined {
  const conversation = findConversation(script, messages);
  if (!conversation) return undefined;
  const branches = splitBranches(conversation);
  let branch = branches[0] ?? [];
  let position = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") {
      const entered = branches.find((steps) => matches(steps[0]?.after, message.content));
      if (entered) {
        branch = entered;
        position = 0;
      } else if (matches(conversation.again, message.content)) {
        position = 0;
      }
    } else if (message.role === "assistant") {
      if (!answerTo(branch, messages[index - 1])) position += 1;
    }
  }
  return answerTo(branch, messages.at(-1)) ?? branch.filter(isOrdered)[position] ?? spent;
}

/** What a step may name between double braces. */
export interface Places {
  readonly cwd: string;
  readonly commit: string;
  readonly fact: string;
}

/** Replaces `{{cwd}}`, `{{commit}}` and `{{fact}}` in the text and the arguments of a step. */
export function fillStep(step: ScriptStep, { cwd, commit, fact }: Places): ScriptStep {
  const filled = (text: string): string =>
    text.replaceAll("{{cwd}}", cwd).replaceAll("{{commit}}", commit).replaceAll("{{fact}}", fact);
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") return filled(value);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
    return value;
  };
  return {
    ...step,
    ...(step.say === undefined ? {} : { say: filled(step.say) }),
    ...(step.call === undefined
      ? {}
      : {
          call: step.call.map(({ tool, args }) => ({
            tool,
            args: Object.fromEntries(Object.entries(args).map(([key, value]) => [key, fill(value)])),
          })),
        }),
  };
}

/** Returns the commit that a reviewer is asked about; empty for other roles. */
export function commitIn(messages: readonly ModelMessage[]): string {
  return /^Review commit ([0-9a-f]{40,64}) /m.exec(openingOf(messages))?.[1] ?? "";
}

/** Returns the name of the first thing that a retrospective reads of the work; empty for other roles. */
export function factIn(messages: readonly ModelMessage[]): string {
  return /^Look back at .*?^- `([a-z]+-[^`]+)`: /ms.exec(openingOf(messages))?.[1] ?? "";
}

function openingOf(messages: readonly ModelMessage[]): string {
  // Some agents tell where they are in a message of their own, before the first of ours.
  const users = messages.filter(({ role }) => role === "user").slice(0, 2);
  return users.map(({ content }) => content).join("\n");
}

function findConversation(script: Script, messages: readonly ModelMessage[]): Conversation | undefined {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const users = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  // Some agents tell where they are in a message of their own, before the first of ours.
  const [first = "", second = ""] = users;
  const opened = (opening: readonly string[]): Conversation | undefined =>
    script.conversations.find(({ match }) => matches(match, [...system, ...opening].join("\n")));
  return opened([first]) ?? opened([first, second]);
}

/** Splits a conversation into its main branch, followed by one branch per step with `after`. */
function splitBranches(conversation: Conversation): ScriptStep[][] {
  const branches: ScriptStep[][] = [[]];
  for (const step of conversation.steps) {
    if (step.after === undefined) branches.at(-1)?.push(step);
    else branches.push([step]);
  }
  return branches;
}

function answerTo(branch: readonly ScriptStep[], last: ModelMessage | undefined): ScriptStep | undefined {
  return branch.find(
    (step) => step.when !== undefined && last !== undefined && matches(step.when, last.content),
  );
}

function isOrdered(step: ScriptStep): boolean {
  return step.when === undefined;
}

function matches(pattern: string | undefined, text: string): boolean {
  return pattern !== undefined && new RegExp(pattern, "s").test(text);
}
