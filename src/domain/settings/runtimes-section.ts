import { z } from "zod";
import { setting } from "./keys.ts";
import { BUILT_IN_RUNTIME, provider } from "./runtime-section.ts";

const providerName = z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, {
  error: "write a provider's name in lower case, such as openai: at most 30 letters, digits and hyphens",
});

export const providers = setting("providers", z.record(providerName, provider), {
  description:
    "Model providers by name, beside `runtime.provider`. Write a model of theirs as `<provider>/<model>`; a model without a provider's name is one of `runtime.provider`. A key never leaves the host: agents get a stand-in for it.",
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
          message: `may have only ${PLACEHOLDERS.map((known) => `{${known}}`).join(", ")} in braces`,
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
      .describe(
        "The name of a program that Flotilla knows. `flotilla runtimes list` shows them, and `flotilla runtimes add` installs one.",
      ),
    command: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe(
        "In place of a preset: any program that speaks the Agent Client Protocol on its standard streams, with its arguments. Agents may read its directory.",
      ),
    speaks: z
      .enum(["openai", "anthropic", "gemini"])
      .optional()
      .describe("The API that the program of `command` uses to ask its models."),
    models: modelNames()
      .optional()
      .describe(
        "Its models, all of the same API. While one is overloaded, out of quota or does not answer, Flotilla asks the next. Left out: `runtime.model`.",
      ),
    effort: z
      .enum(["low", "medium", "high"])
      .optional()
      .describe("How hard its models think. Left out: the program's own default."),
    env: z
      .record(variable, environmentValue)
      .optional()
      .describe(
        "Environment variables of `command`. Flotilla fills in {gateway}, {key}, {model} and {state}. Never write a secret here: agents can read it.",
      ),
    tools: z
      .strictObject({
        read: toolNames().describe("Tools that only read."),
        edit: toolNames().describe("Tools that change files."),
        shell: toolNames().describe("Tools that run commands."),
      })
      .optional()
      .describe("The tools of `command` that each capability allows; Flotilla refuses its other tools."),
    gate: z
      .enum(["permission", "hook", "none"])
      .optional()
      .describe(
        "How `command` asks before it uses a tool of its own. `permission`, the default: by the protocol. `hook`: by a hook. `none`: not at all, which is only for roles with `shell`.",
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
        if (written[key] !== undefined) add(key, "belongs to command; a preset sets it itself; take it out");
  })
  .meta({ oneOf: [{ required: ["preset"] }, { required: ["command"] }] });

const runtimeName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,29}$/, {
    error: "write a runtime's name in lower case, such as claude: at most 30 letters, digits and hyphens",
  })
  .refine((name) => name !== BUILT_IN_RUNTIME, {
    error: `is the name of the built-in runtime; choose another name`,
  });

export const runtimes = setting("runtimes", z.record(runtimeName, runtimeSchema), {
  description: `Runtimes by name, beside \`${BUILT_IN_RUNTIME}\`, which is built in. A runtime is the program that an agent runs as, such as Claude Code. See docs/runtimes.md.`,
  default: {},
});

export const runtimeLabels = setting("runtime_labels", z.record(z.string().min(1).max(50), z.string()), {
  description:
    "Labels that choose the runtime of the work that starts on an issue, in place of the role's. Flotilla removes such a label from somebody without write permission.",
  default: {},
});
