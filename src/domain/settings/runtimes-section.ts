import { z } from "zod";
import { setting } from "./keys.ts";
import { BUILT_IN_RUNTIME, provider } from "./runtime-section.ts";

const providerName = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, {
  error: "write a provider's name in lower case, such as openai: at most 30 letters, digits and hyphens",
});

export const providers = setting("providers", z.record(providerName, provider), {
  description:
    "Further model providers by name, beside `runtime.provider`. A model is written as `<provider>/<model>`; one without a provider's name is asked at `runtime.provider`. A key never leaves the host: agents get a stand-in for it.",
  default: {},
});

export const modelNames = () =>
  z
    .array(z.string().regex(/^\S+$/, { error: "write the name of a model without spaces" }))
    .min(1)
    .superRefine((models, context) => {
      for (const [index, model] of models.entries())
        if (models.indexOf(model) !== index)
          context.addIssue({ code: "custom", path: [index], message: "is listed twice; take one out" });
    });

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
  error: "is not the name of a variable; write letters, digits and _, with no digit first",
});

/** What a value of `env` may contain; filled in for each session. */
const PLACEHOLDERS = ["gateway", "key", "model", "state"] as const;

const environmentValue = z
  .string({ error: 'write text in quotes, such as "3000" or "{key}"' })
  .superRefine((text, context) => {
    for (const [, name] of text.matchAll(/\{([A-Za-z_]+)\}/g))
      if (!PLACEHOLDERS.some((known) => known === name))
        context.addIssue({
          code: "custom",
          message: `knows only ${PLACEHOLDERS.map((known) => `{${known}}`).join(", ")} in braces`,
        });
  });

const toolNames = () => z.array(z.string().min(1)).prefault([]);

/** Keys that describe a program; a preset knows them. */
const OF_COMMAND = ["speaks", "env", "tools", "gate"] as const;

const runtimeSchema = z
  .strictObject({
    preset: z
      .string()
      .optional()
      .describe("What is known of a program: its name, as `flotilla runtimes list` shows it."),
    command: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe(
        "In place of a preset: any program, with its arguments, that speaks the Agent Client Protocol on its standard streams. Agents may read its directory.",
      ),
    speaks: z
      .enum(["openai", "anthropic", "gemini"])
      .optional()
      .describe("The API by which the program of `command` asks its models."),
    models: modelNames()
      .optional()
      .describe(
        "Its models in order, of one API; the next is asked while one is overloaded, out of quota or away. Left out: `runtime.model`.",
      ),
    effort: z
      .enum(["low", "medium", "high"])
      .optional()
      .describe("How hard its models think; left out, the program's own default."),
    env: z
      .record(variable, environmentValue)
      .optional()
      .describe(
        "Environment variables of `command`, with {gateway}, {key}, {model} and {state} filled in. Never a secret: agents can read them.",
      ),
    tools: z
      .strictObject({
        read: toolNames().describe("Tools that only read."),
        edit: toolNames().describe("Tools that change files."),
        shell: toolNames().describe("Tools that run commands."),
      })
      .optional()
      .describe("Tools of `command` behind each capability; its others are refused."),
    gate: z
      .enum(["permission", "hook", "none"])
      .optional()
      .describe(
        "How `command` asks before it calls a tool of its own: `permission`: by the protocol, the default; `hook`; `none`: not at all, which only roles with `shell` may use.",
      ),
  })
  .superRefine((written, context) => {
    const add = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const { preset, command } = written;
    if ((preset === undefined) === (command === undefined))
      add(preset === undefined ? "preset" : "command", "write either preset or command");
    if (preset !== undefined)
      for (const key of OF_COMMAND)
        if (written[key] !== undefined) add(key, "goes with command; the preset knows it; take it out");
  });

/** A program that works, as configured. */
export type RuntimeSetting = z.output<typeof runtimeSchema>;

const runtimeName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, {
    error: "write a runtime's name in lower case, such as claude: at most 30 letters, digits and hyphens",
  })
  .refine((name) => name !== BUILT_IN_RUNTIME, {
    error: `is built in under the name ${BUILT_IN_RUNTIME}; take another name`,
  });

export const runtimes = setting("runtimes", z.record(runtimeName, runtimeSchema), {
  description: `Programs that agents may run as, by name, beside \`${BUILT_IN_RUNTIME}\`, which is built in. \`flotilla runtimes add <preset>\` installs one. See docs/runtimes.md.`,
  default: {},
});

export const runtimeLabels = setting("runtime_labels", z.record(z.string().min(1).max(50), z.string()), {
  description:
    "Labels of issues that choose a runtime for work that starts there, in place of the role's. A label from somebody without write permission is taken off again.",
  default: {},
});
