import { z } from "zod";

type Variables = Readonly<Record<string, string>>;

interface Keyed {
  readonly apiKeyEnv: string;
}

const NAMES = 50;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const VALUE_BYTES = 4096;

/** Names that no configuration sets, and why. They are compared in capitals: some programs read a name in any case. */
const REFUSED: readonly (readonly [names: RegExp, why: string])[] = [
  [
    /^(?:PATH|HOME|TMPDIR|TMP|TEMP|CI|TZ|TZDIR|LANG|LANGUAGE|LC_.*|PWD|OLDPWD|SHLVL|_)$/,
    "Flotilla or the shell sets it",
  ],
  [
    /^(?:SHELL|ENV|IFS|OPTIND|PS[0-4]|CDPATH|GLOBIGNORE|POSIXLY_CORRECT|PROMPT_COMMAND|SHELLOPTS|BASH.*)$/,
    "it changes how shells run commands",
  ],
  [
    /^(?:LD_.*|DYLD_.*|GLIBC_.*|MALLOC_.*|GCONV_PATH|GETCONF_DIR|LOCPATH|NLSPATH|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS)$/,
    "it changes how every program is loaded",
  ],
  [/^(?:NODE_(?!ENV$).*|UV_THREADPOOL_SIZE|UV_USE_IO_URING)$/, "it changes how Node.js runs programs"],
  [/^BUN_(?:OPTIONS|BE_BUN|INSPECT.*)$/, "it changes how Bun runs programs"],
  [/^GIT_/, "it changes what git does, which Flotilla controls"],
  [/PROXY$/, "the sandbox decides what reaches the network"],
  [
    /^(?:SSL_.*|OPENSSL_.*|SSLKEYLOGFILE|.*_CA_BUNDLE|PIP_CERT|CARGO_HTTP_CAINFO)$/,
    "the operator decides which certificates count",
  ],
  [
    /^(?:(?:FLOTILLA|COPILOT|CAPI|GITHUB|GH|GHE|OPENAI|ANTHROPIC|AZURE_OPENAI|OTEL|XDG|MCP)_.*|GOOGLE_(?:GEMINI|GENAI)_.*)$/,
    "it belongs to Flotilla, the agent runtime or the model provider",
  ],
  [
    /^(?:CLAUDE|CODEX|GEMINI|OPENCODE|QWEN)_|^(?:ENABLE_TOOL_SEARCH|DISABLE_AUTOUPDATER|IS_SANDBOX|NO_BROWSER|MODEL_PROVIDER|INITIAL_AGENT_MODE)$/,
    "an agent reads its own settings from it",
  ],
  [
    /^(?:PRIVATE_KEY.*|WEBHOOK_SECRET.*|DASHBOARD_TOKEN)$/,
    "it is the name of a secret of Flotilla, which nothing in a repository gets",
  ],
];

/** Parses the mapping of environment variables that a configuration adds: names and values that cannot change ours. */
export function environmentVariables() {
  return z
    .record(name(), value())
    .superRefine((variables, context) => {
      if (Object.keys(variables).length > NAMES)
        context.addIssue({ code: "custom", message: `write at most ${NAMES} names.` });
    })
    .meta({ maxProperties: NAMES });
}

/** Returns a fault where the variables contain one that holds a provider's key on the host. */
export function providerKeyFaults(
  {
    setup,
    services,
  }: {
    readonly setup: { readonly environment: Variables };
    readonly services: Readonly<Record<string, { readonly env: Variables }>>;
  },
  {
    runtime,
    providers,
  }: {
    readonly runtime: { readonly provider?: Keyed | undefined };
    readonly providers: Readonly<Record<string, Keyed>>;
  },
): readonly string[] {
  const keyed = [
    ["runtime.provider", runtime.provider] as const,
    ...Object.entries(providers).map(([key, one]) => [`providers.${key}`, one] as const),
  ];
  const all = [
    ["setup.environment", setup.environment] as const,
    ...Object.entries(services).map(([service, { env }]) => [`services.${service}.env`, env] as const),
  ];
  return keyed.flatMap(([key, one]) =>
    all.flatMap(([path, variables]) =>
      one !== undefined && Object.hasOwn(variables, one.apiKeyEnv)
        ? [`${path}.${one.apiKeyEnv}: ${key}.api_key_env names it, and no agent gets that key; take it out.`]
        : [],
    ),
  );
}

function name() {
  return z.string().superRefine((written, context) => {
    const message = nameFault(written);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

function nameFault(written: string): string | undefined {
  if (!NAME.test(written))
    return "is not the name of a variable; write at most 100 letters, digits and _, with no digit first.";
  const why = REFUSED.find(([names]) => names.test(written.toUpperCase()))?.[1];
  return why === undefined ? undefined : `${why}; take it out.`;
}

function value() {
  return z
    .string({ error: 'write text in quotes, such as "3000" or "true".' })
    .refine((written) => !written.includes("\0"), { error: "contains a NUL character; take it out." })
    .refine((written) => new TextEncoder().encode(written).length <= VALUE_BYTES, {
      error: `is longer than ${VALUE_BYTES} bytes; make it shorter.`,
    });
}
