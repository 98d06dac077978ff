import { z } from "zod";

const baseUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "write the whole address with its scheme, such as https://api.openai.com/v1",
    abort: true,
  })
  .refine((text) => new URL(text).username === "" && new URL(text).password === "", {
    error: "holds a user name or password; take them out and put the key into the variable of api_key_env",
  });

const providerSchema = z
  .strictObject({
    type: z
      .enum(["openai", "anthropic", "azure"])
      .describe("Which API it speaks.")
      .meta({ examples: ["openai"] }),
    base_url: baseUrl.describe("Base address of the API.").meta({ examples: ["http://127.0.0.1:4010/v1"] }),
    api_key_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
        error: "write the name of an environment variable, never the key itself",
      })
      .describe("Name of the environment variable that holds the key, never the key.")
      .meta({ examples: ["MODEL_API_KEY"] }),
    wire_api: z
      .enum(["completions", "responses"])
      .prefault("completions")
      .describe("Which of OpenAI's two APIs it speaks."),
    max_prompt_tokens: z
      .int()
      .min(1_000)
      .optional()
      .describe("Longest prompt of the model in tokens; left out, the runtime's own knowledge of the model.")
      .meta({ examples: [128_000] }),
  })
  .refine((provider) => provider.type !== "openai" || new URL(provider.base_url).pathname !== "/", {
    path: ["base_url"],
    error: "is too short: write the base address with its path, which usually ends in /v1",
  });

const priceSchema = z.strictObject({
  in: z.number().nonnegative().describe("US dollars per million prompt tokens."),
  cached: z.number().nonnegative().describe("US dollars per million cached prompt tokens."),
  out: z.number().nonnegative().describe("US dollars per million answer tokens."),
});

/** `runtime`: which model thinks, and how many agents at once. */
export const runtimeSchema = z
  .strictObject({
    provider: providerSchema
      .optional()
      .describe(
        "The model provider with a key of your own. Left out: GitHub Copilot with the token in COPILOT_GITHUB_TOKEN.",
      ),
    model: z.string().min(1).prefault("gpt-4.1").describe("Model of the roles that name none."),
    prices: z
      .record(z.string(), priceSchema)
      .prefault({})
      .describe("Price of a model by its name. Without one nothing limits what it costs.")
      .meta({ examples: [{ "gpt-4.1": { in: 2, cached: 0.5, out: 8 } }] }),
    max_concurrent_agents: z
      .int()
      .min(1)
      .max(1_000)
      .prefault(10)
      .describe("Agents that are ACTIVE at the same time."),
    permission_mode: z
      .enum(["auto", "ask"])
      .prefault("auto")
      .describe(
        "`ask`: calls that look risky (deletes outside the worktree, the network, protected paths) wait for a person.",
      ),
  })
  .prefault({})
  .describe("Which model thinks, and how many agents work at once.");
