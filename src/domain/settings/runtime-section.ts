import { z } from "zod";
import { microUsd, type Prices } from "../breakers/money.ts";
import { object, section, setting } from "./keys.ts";

/** The runtime that is part of Flotilla; the others stand in `runtimes`. */
export const BUILT_IN_RUNTIME = "copilot";

const baseUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "write the whole address with its scheme, such as https://api.openai.com/v1",
    abort: true,
  })
  .refine((text) => new URL(text).username === "" && new URL(text).password === "", {
    error: "holds a user name or password; take them out and put the key into the variable of api_key_env",
  });

export const provider = object(
  {
    type: setting("type", z.enum(["openai", "anthropic", "azure", "gemini"]), {
      description: "The API that it offers.",
      example: "openai",
    }),
    baseUrl: setting("base_url", baseUrl, {
      description: "Base address of the API.",
      example: "http://127.0.0.1:4010/v1",
    }),
    apiKeyEnv: setting(
      "api_key_env",
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
        error: "write the name of an environment variable, never the key itself",
      }),
      {
        description: "Name of the environment variable that holds the key, never the key.",
        example: "MODEL_API_KEY",
      },
    ),
    wireApi: setting("wire_api", z.enum(["completions", "responses"]), {
      description: "Which of OpenAI's two APIs it speaks.",
      default: "completions",
    }),
    maxPromptTokens: setting("max_prompt_tokens", z.int().min(1_000).optional(), {
      description:
        "Longest prompt of the model in tokens; left out, the runtime's own knowledge of the model.",
      example: 128_000,
    }),
  },
  providerFault,
);

function providerFault(
  values: { readonly type: string; readonly baseUrl: string },
  context: z.RefinementCtx,
): void {
  if (values.type === "openai" && new URL(values.baseUrl).pathname === "/")
    context.addIssue({
      code: "custom",
      path: ["base_url"],
      message: "is too short: write the base address with its path, which usually ends in /v1",
    });
}

/** Written in dollars per million tokens, stored in micro-dollars. */
const dollars = () => z.number().nonnegative().transform(microUsd);

const price = object({
  input: setting("in", dollars(), { description: "US dollars per million prompt tokens." }),
  cached: setting("cached", dollars(), { description: "US dollars per million cached prompt tokens." }),
  output: setting("out", dollars(), { description: "US dollars per million answer tokens." }),
});

export const runtime = section("runtime", "Which model thinks, and how many agents work at once.", {
  use: setting("use", z.string().min(1), {
    description:
      "The runtime of agents whose role names none: `copilot`, which is built in, or one of `runtimes`. A command or a label can choose another one.",
    default: BUILT_IN_RUNTIME,
  }),
  /** Undefined: the account that the runtime has itself. */
  provider: setting("provider", provider.optional(), {
    description:
      "The model provider with a key of your own. Left out: GitHub Copilot with the token in COPILOT_GITHUB_TOKEN.",
  }),
  model: setting("model", z.string().min(1), {
    description: "Model for roles that name none.",
    default: "gpt-4.1",
  }),
  models: setting("models", z.array(z.string().min(1)), {
    description:
      "Further models that `/flotilla start <role> model=…` may choose; a start may always name the role's own.",
    default: [],
  }),
  vision: setting("vision", z.array(z.string().min(1)), {
    description:
      "Models that can see pictures. Flotilla shows them the pictures in issues and comments of people with permission. Other models read only the alternative text. See docs/operations.md#pictures.",
    default: ["gpt-4.1"],
  }),
  prices: setting(
    "prices",
    z.record(z.string(), price).transform((prices): Prices => new Map(Object.entries(prices))),
    {
      description: "Prices by model name. Without a price, no cost limit applies to that model.",
      default: {},
      example: { "gpt-4.1": { in: 2, cached: 0.5, out: 8 } },
    },
  ),
  maxConcurrentAgents: setting("max_concurrent_agents", z.int().min(1).max(1_000), {
    description: "The most agents that are ACTIVE at the same time.",
    default: 10,
  }),
  permissionMode: setting("permission_mode", z.enum(["auto", "ask"]), {
    description:
      "`ask`: calls that look risky (deletes outside the worktree, the network, protected paths, an MCP server) wait for a person.",
    default: "auto",
  }),
});
