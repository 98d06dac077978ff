import type { Role, Roles } from "../domain/agents/role.ts";
import type { ConfigFile } from "../domain/settings/config-schema.ts";
import { BUILT_IN_RUNTIME } from "../domain/settings/runtime-section.ts";
import {
  fitsRole,
  hasProvider,
  modelWritten,
  type NamedModel,
  namedModel,
  runtimeNames,
  runtimeUse,
} from "../domain/settings/runtime-use.ts";
import { nearest, suggestion } from "./nearest.ts";
import { NEEDS_PROVIDER } from "./role-file.ts";

/** The API by which a program asks a model. */
type ModelApi = "completions" | "responses" | "anthropic" | "azure" | "gemini";

/** What the configuration must know of a program that a preset describes. */
export interface KnownPreset {
  readonly name: string;
  readonly api: ModelApi;
  readonly gate: "permission" | "hook" | "none";
  /** There where it is kept to its role by files that only a sandbox can show it. */
  readonly etc?: unknown;
}

type Written = Pick<
  ConfigFile,
  "providers" | "runtime" | "runtimes" | "runtimeLabels" | "sandbox" | "setup" | "services"
>;

/** Where a list of models is written. `at(2)` = the path of its third. */
interface List {
  readonly models: readonly string[];
  readonly at: (index?: number) => string;
  readonly runtime: string;
}

const API_NAMES: Readonly<Record<ModelApi, string>> = {
  completions: "OpenAI's chat completions API",
  responses: "OpenAI's responses API",
  anthropic: "Anthropic's messages API",
  azure: "Azure's API",
  gemini: "Gemini's API",
};

const EITHER = new Intl.ListFormat("en", { type: "disjunction" });

/** The APIs that the built-in runtime speaks. */
const OF_BUILT_IN: readonly ModelApi[] = ["completions", "responses", "anthropic", "azure"];

const OF_COMMANDS = {
  openai: ["completions", "responses"],
  anthropic: ["anthropic"],
  gemini: ["gemini"],
} as const satisfies Readonly<Record<string, readonly ModelApi[]>>;

/** Returns whether agents of some role, or of a label or command, may ask the built-in runtime's own account. */
export function asksOwnAccount(written: Written, roles: Roles): boolean {
  if (written.runtime.provider !== undefined) return false;
  if (!runtimeNames({ ...written, roles }).includes(BUILT_IN_RUNTIME)) return false;
  const uses = [...roles.values()].map((role) => runtimeUse(role, written));
  // A label or a command gives it to a role with other models than the role's own.
  const chosen = [written.runtime.use, ...Object.values(written.runtimeLabels)].includes(BUILT_IN_RUNTIME);
  return (
    uses.some((use) => use.runtime === BUILT_IN_RUNTIME && use.models[0].provider === null) ||
    (chosen && uses.every((use) => use.runtime !== BUILT_IN_RUNTIME))
  );
}

/** Returns the faults of everything that says which runtime and which model works. `labelOf` names a role's file. */
export function runtimeFaults(
  written: Written,
  given: {
    readonly roles: Roles;
    readonly labelOf: (role: Pick<Role, "name">) => string;
    readonly presets: readonly KnownPreset[];
    readonly file: string;
  },
): readonly string[] {
  const { roles, labelOf, presets, file } = given;
  const names = [BUILT_IN_RUNTIME, ...Object.keys(written.runtimes)];
  const unknown = (path: string, name: string) =>
    names.includes(name) ? [] : [`${path}: there is no runtime "${name}".${suggestion(name, names)}`];
  const set = Object.entries(written.runtimes);
  return [
    ...unknown(`${file}: runtime.use`, written.runtime.use),
    ...set.flatMap(([name, { preset }]) =>
      preset === undefined || presets.some((known) => known.name === preset)
        ? []
        : [
            `${file}: runtimes.${name}.preset: there is no preset "${preset}".${suggestion(
              preset,
              presets.map((known) => known.name),
            )}`,
          ],
    ),
    ...Object.entries(written.runtimeLabels).flatMap(([label, name]) =>
      unknown(`${file}: runtime_labels.${label}`, name),
    ),
    ...[...roles.values()].flatMap((role) =>
      role.runtime === undefined ? [] : unknown(`${labelOf(role)}: runtime`, role.runtime),
    ),
    ...listsOf(written, given).flatMap((list) => modelFaults(list, written, presets)),
    ...[...roles.values()].flatMap((role) =>
      role.temperature === undefined || hasProvider(role, written)
        ? []
        : [`${labelOf(role)}: temperature: ${NEEDS_PROVIDER}`],
    ),
    ...gateFaults(written, { roles, file }),
    ...sandboxFaults(written, presets, file),
    ...keyFaults(written, file),
  ];
}

/** Returns each list of models that an agent may get: those of runtimes, and those of roles. */
function listsOf(
  written: Written,
  { roles, labelOf, file }: { roles: Roles; labelOf: (role: Role) => string; file: string },
): readonly List[] {
  const usual = [written.runtime.model];
  const set = Object.entries(written.runtimes).map(([runtime, { models }]): List => {
    const at = (index?: number) =>
      `${file}: runtimes.${runtime}.models${index === undefined ? "" : `[${index}]`}`;
    return models === undefined ? { models: usual, at: () => at(), runtime } : { models, at, runtime };
  });
  const own = [...roles.values()].flatMap((role): readonly List[] => {
    const { runtime, models } = runtimeUse(role, written);
    const isKnown = runtime === BUILT_IN_RUNTIME || Object.hasOwn(written.runtimes, runtime);
    if (role.model === undefined || !isKnown) return [];
    const key = role.otherModels.length === 0 ? () => "model" : (index?: number) => modelsKey(index);
    return [{ models: models.map(modelWritten), at: (index) => `${labelOf(role)}: ${key(index)}`, runtime }];
  });
  const isUsual = [...roles.values()].some(
    (role) => role.model === undefined && runtimeUse(role, written).runtime === BUILT_IN_RUNTIME,
  );
  return [
    ...(isUsual ? [{ models: usual, at: () => `${file}: runtime.model`, runtime: BUILT_IN_RUNTIME }] : []),
    ...set,
    ...own,
  ];
}

const modelsKey = (index?: number) => (index === undefined ? "models" : `models[${index}]`);

function modelFaults(
  { models, at, runtime }: List,
  written: Written,
  presets: readonly KnownPreset[],
): readonly string[] {
  const faults = models.flatMap((model, index) =>
    placeFaults(model, written, runtime).map((fault) => `${at(index)}: ${fault}`),
  );
  if (faults.length > 0) return faults;
  const named = models.map((model) => namedModel(model, written));
  const own = named.filter((one) => apiOf(one, written) === null);
  if (own.length > 0)
    return named.length > 1
      ? [
          `${at()}: Copilot's own account takes one model; write one, or write each as \`<provider>/<model>\` with a provider of \`providers\`.`,
        ]
      : [];
  const [first, ...others] = named.map((one) => ({ one, api: apiOf(one, written) ?? "completions" }));
  if (first === undefined) return [];
  const other = others.find(({ api }) => api !== first.api);
  if (other !== undefined)
    return [
      `${at()}: all models of a list must use the same API, but ${modelWritten(first.one)} uses ${API_NAMES[first.api]} and ${modelWritten(other.one)} ${API_NAMES[other.api]}; take one of them out.`,
    ];
  const supported = apisOf(runtime, written, presets);
  return supported === null || supported.includes(first.api)
    ? []
    : [
        `${at(0)}: ${runtime} uses ${EITHER.format(supported.map((api) => API_NAMES[api]))}, but ${providerPath(first.one)} is set to ${API_NAMES[first.api]}; ${cureOf(first, supported)}.`,
      ];
}

/** Returns what to do about a model whose provider offers another API than those that the runtime speaks. */
function cureOf(
  { one, api }: { readonly one: NamedModel; readonly api: ModelApi },
  supported: readonly ModelApi[],
): string {
  const other = api === "completions" ? "responses" : "completions";
  const isOpenAi = api === "completions" || api === "responses";
  return isOpenAi && supported.includes(other)
    ? `set ${providerPath(one)}.wire_api to \`${other}\`, or name a model of another provider`
    : "name a model of another provider, or use another runtime";
}

/** Returns why there is no provider for the model. */
function placeFaults(model: string, written: Written, runtime: string): readonly string[] {
  const { provider, model: asked } = namedModel(model, written);
  const known = Object.keys(written.providers);
  if (provider !== null) return asked === "" ? [`names no model; write \`${provider}/<model>\`.`] : [];
  const slash = model.indexOf("/");
  const meant = model.slice(0, Math.max(0, slash));
  const hasUsual = written.runtime.provider !== undefined;
  if (slash > 0 && (!hasUsual || nearest(meant, known) !== undefined))
    return [`there is no provider "${meant}" in providers.${suggestion(meant, known)}`];
  if (hasUsual || runtime === BUILT_IN_RUNTIME) return [];
  return [
    `${model} needs runtime.provider, which is not set; write \`<provider>/<model>\` with a provider of \`providers\`, or set runtime.provider.`,
  ];
}

/** Returns the API by which the model is asked; null for the built-in runtime's own account. */
function apiOf({ provider }: NamedModel, written: Written): ModelApi | null {
  const at = provider === null ? written.runtime.provider : written.providers[provider];
  if (at === undefined) return null;
  return at.type === "openai" ? at.wireApi : at.type;
}

const providerPath = ({ provider }: NamedModel) =>
  provider === null ? "runtime.provider" : `providers.${provider}`;

/** Returns the APIs that the program speaks; null where that is not known. */
function apisOf(
  runtime: string,
  { runtimes }: Written,
  presets: readonly KnownPreset[],
): readonly ModelApi[] | null {
  if (runtime === BUILT_IN_RUNTIME) return OF_BUILT_IN;
  const set = runtimes[runtime];
  if (set?.speaks !== undefined) return OF_COMMANDS[set.speaks];
  const preset = presets.find(({ name }) => name === set?.preset);
  return preset === undefined ? null : [preset.api];
}

/** Returns a fault for each role without a shell in a runtime whose own tools ask nobody. */
function gateFaults(
  written: Written,
  { roles, file }: { readonly roles: Roles; readonly file: string },
): readonly string[] {
  const uses = [...roles.values()].map((role) => ({ role, runtime: runtimeUse(role, written).runtime }));
  const free = uses.filter(({ role, runtime }) => !fitsRole(role, runtime, written));
  return [...Map.groupBy(free, ({ runtime }) => runtime)].map(
    ([runtime, those]) =>
      `${file}: runtimes.${runtime}.gate: with \`none\`, the runtime uses its own tools without asking, so only a role with \`shell\` may have it, and ${those.map(({ role }) => role.name).join(", ")} would; write \`permission\`, or name another runtime in the role file.`,
  );
}

/** Returns a fault for each program that nothing but a sandbox keeps to its role, where there is none. */
function sandboxFaults(
  { sandbox, runtimes }: Written,
  presets: readonly KnownPreset[],
  file: string,
): readonly string[] {
  if (sandbox.mode !== "none") return [];
  return Object.entries(runtimes)
    .filter(([, set]) => presets.some(({ name, etc }) => name === set.preset && etc !== undefined))
    .map(
      ([name, { preset }]) =>
        `${file}: runtimes.${name}: ${preset} works only in the sandbox, because Flotilla can put its hook nowhere else; write \`sandbox: { mode: bubblewrap }\`, or take this runtime out.`,
    );
}

/** Returns a fault for each variable of a program that would hold a provider's key. */
function keyFaults({ runtime, providers, runtimes }: Written, file: string): readonly string[] {
  const keys = new Set(
    [runtime.provider, ...Object.values(providers)].flatMap((one) => one?.apiKeyEnv ?? []),
  );
  return Object.entries(runtimes).flatMap(([name, { env = {} }]) =>
    Object.entries(env)
      .filter(([variable, value]) => keys.has(variable) && value !== "{key}")
      .map(
        ([variable]) =>
          `${file}: runtimes.${name}.env.${variable}: is the variable with a provider's key, which no agent gets; write "{key}", and Flotilla fills in a stand-in.`,
      ),
  );
}
