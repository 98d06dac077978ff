import type { Role } from "../agents/role.ts";
import type { Effort } from "../ports/agent-runtime.ts";
import { BUILT_IN_RUNTIME } from "./runtime-section.ts";
import type { Settings } from "./settings.ts";

/** A model and where it is asked: at a provider of `providers`, or null = at `runtime.provider` or the runtime's own account. */
export interface NamedModel {
  readonly provider: string | null;
  readonly model: string;
}

/** What an agent works with. */
export interface RuntimeUse {
  /** The runtime's name. */
  readonly runtime: string;
  /** Asked in this order. */
  readonly models: readonly [NamedModel, ...NamedModel[]];
  /** Undefined: the runtime's own default. */
  readonly effort: Effort | undefined;
}

/** The settings that say what an agent works with. */
export type RuntimeSettings = Pick<Settings, "providers" | "runtime" | "runtimes">;

/** Whose runtime and models are asked for. */
export type Using = Pick<Role, "runtime" | "model" | "otherModels">;

/** Reads a model as it is written: `<provider>/<model>` where the provider is configured, else a model at `runtime.provider`. */
export function namedModel(written: string, { providers }: Pick<RuntimeSettings, "providers">): NamedModel {
  const slash = written.indexOf("/");
  const provider = written.slice(0, Math.max(0, slash));
  return Object.hasOwn(providers, provider)
    ? { provider, model: written.slice(slash + 1) }
    : { provider: null, model: written };
}

/** Returns the model as people write it. */
export function modelWritten({ provider, model }: NamedModel): string {
  return provider === null ? model : `${provider}/${model}`;
}

/** Returns the name of the runtime of agents of the role for which nobody chose another one. */
export function runtimeOfRole(
  { runtime }: Pick<Role, "runtime">,
  settings: Pick<Settings, "runtime">,
): string {
  return runtime ?? settings.runtime.use;
}

/** Returns the models of a runtime as they are written, for roles that name none. */
export function modelsOf(
  runtime: string,
  { runtime: { model }, runtimes }: RuntimeSettings,
): readonly [string, ...string[]] {
  const set = Object.hasOwn(runtimes, runtime) ? runtimes[runtime] : undefined;
  const [first = model, ...others] = set?.models ?? [];
  return [first, ...others];
}

/** Returns what agents of the role work with: its own models, else those of its runtime. */
export function runtimeUse(role: Using, settings: RuntimeSettings): RuntimeUse {
  const runtime = runtimeOfRole(role, settings);
  const set = Object.hasOwn(settings.runtimes, runtime) ? settings.runtimes[runtime] : undefined;
  const [first, ...others] =
    role.model === undefined ? modelsOf(runtime, settings) : [role.model, ...role.otherModels];
  const named = (written: string) => namedModel(written, settings);
  return { runtime, models: [named(first), ...others.map(named)], effort: set?.effort };
}

/** Returns whether model calls of the role go to a provider, and not to the built-in runtime's own account. */
export function hasProvider(role: Using, settings: RuntimeSettings): boolean {
  return settings.runtime.provider !== undefined || runtimeUse(role, settings).models[0].provider !== null;
}

/**
 * Returns the role as its agents have it in a runtime: in another one than its own it has that runtime's models, because its
 * own may be of an API that the other one does not speak.
 */
export function roleIn<R extends Using>(role: R, runtime: string, settings: Pick<Settings, "runtime">): R {
  return runtimeOfRole(role, settings) === runtime
    ? role
    : { ...role, runtime, model: undefined, otherModels: [] };
}

/** The settings that say which runtimes there are. */
type Named = Pick<Settings, "runtime" | "runtimes" | "runtimeLabels"> & {
  readonly roles: ReadonlyMap<string, Pick<Role, "runtime">>;
};

/** Returns whether a role, a label or `runtime.use` names the runtime, so that work comes to it without a command. */
export function isNamed(
  name: string,
  { runtime, runtimeLabels, roles }: Pick<Named, "runtime" | "runtimeLabels" | "roles">,
): boolean {
  return (
    runtime.use === name ||
    Object.values(runtimeLabels).includes(name) ||
    [...roles.values()].some((role) => role.runtime === name)
  );
}

/**
 * Returns the names of the runtimes that agents may have. The built-in one is among them where it has a provider, or where
 * something names it, and its own account pays.
 */
export function runtimeNames(settings: Named): readonly string[] {
  const builtIn = settings.runtime.provider !== undefined || isNamed(BUILT_IN_RUNTIME, settings);
  return [...(builtIn ? [BUILT_IN_RUNTIME] : []), ...Object.keys(settings.runtimes)];
}

/** Returns whether agents of the role may run in the runtime: one whose own tools ask nobody is as free as a shell. */
export function fitsRole(
  { capabilities }: Pick<Role, "capabilities">,
  runtime: string,
  { runtimes }: Pick<Settings, "runtimes">,
): boolean {
  const set = Object.hasOwn(runtimes, runtime) ? runtimes[runtime] : undefined;
  return set?.gate !== "none" || capabilities.includes("shell");
}
