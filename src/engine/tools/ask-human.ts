import { z } from "zod";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";

const name = (description: string) =>
  text(80, description).regex(/^[^\r\n`]+$/, { error: "write one line without backticks" });

const option = z.union(
  [
    name("The answer in a few words"),
    z.strictObject({
      label: name("The answer in a few words"),
      destructive: z
        .boolean()
        .describe("True when what it leads to cannot be undone: then only a person may choose it")
        .optional(),
    }),
  ],
  { error: "write a name of at most 80 characters on one line without backticks, or {label, destructive}" },
);

/** A question that people answer with a click; see `src/domain/questions/question.ts` for what can be asked. */
export const askHuman = defineTool({
  name: "ask_human",
  description:
    "Ask people one question that they can answer by choosing, when the work needs a decision that is not yours and the choices are clear. You sleep and are woken, with this conversation, by the answer; it may also be in other words than yours. With a default you continue with that when nobody answers in time. When you cannot say what the choices are, use escalate_to_human. Ends your turn.",
  schema: z.strictObject({
    question: text(2000, "The question with what one must know to answer it; nobody has read what you have"),
    options: z
      .array(option)
      .min(2)
      .max(6)
      .describe(
        "Two to six choices, each with a name of its own; {label, destructive} for one that cannot be undone",
      ),
    recommended: name("The option that you would take").optional(),
    default: name(
      "The option that holds when nobody answers in time; never a destructive one. Without it you wait until a person answers",
    ).optional(),
    deadline: text(10, "How long you can wait, as 90m, 4h or 2d; leave it out for the usual time").optional(),
    who: z
      .string()
      .trim()
      .regex(/^@?[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, { error: "write a GitHub login" })
      .describe("Login of the one person who knows; leave it out when you are not sure")
      .optional(),
  }),
  terminal: true,
  run: ({ question, options, recommended, default: fallback, deadline, who }, host) =>
    host.askHuman({
      question,
      options: options.map((one) =>
        typeof one === "string"
          ? { name: one, destructive: false }
          : { name: one.label, destructive: one.destructive ?? false },
      ),
      recommended: recommended ?? null,
      default: fallback ?? null,
      deadline: deadline ?? null,
      who: who?.replace(/^@/, "") ?? null,
    }),
});
