import type { Config } from "../../config/load-config.ts";
import { isCoder, type Role } from "../../domain/agents/role.ts";
import { allowedModels } from "../../domain/agents/start-choice.ts";
import { priceOf } from "../../domain/breakers/money.ts";
import {
  fitsRole,
  modelWritten,
  namedModel,
  roleIn,
  runtimeNames,
  runtimeOfRole,
  runtimeUse,
} from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TrialArm } from "../../domain/trial/trial-line.ts";
import type { CommandContext } from "../command.ts";

/** What is typed. */
export interface TrialWish {
  readonly issues: number;
  readonly agents: readonly string[] | null;
  readonly models: readonly string[] | null;
  readonly role: string;
  /** US dollars. */
  readonly budget: number | undefined;
  readonly slots: number;
  readonly setup: string | null;
  readonly test: string | null;
  readonly out: string;
  readonly against: string | null;
}

/** What cannot be done, and what to do. */
export interface WishFault {
  readonly what: string;
  readonly next: string;
}

const MOST_ISSUES = 1000;
const MOST_SLOTS = 32;
const FILE = "trial.jsonl";
const ROLE = "bug-fix";

/** Reads the options. */
export function trialWish({ options }: Pick<CommandContext, "options">): TrialWish | WishFault {
  const text = (name: string): string | null => {
    const value = options[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
  };
  const list = (name: string) => {
    const names = text(name)
      ?.split(",")
      .map((one) => one.trim());
    return names === undefined ? null : [...new Set(names.filter((one) => one !== ""))];
  };
  const issues = wholeNumber(text("issues") ?? "20", MOST_ISSUES);
  if (issues === null)
    return { what: `--issues takes a whole number from 1 to ${MOST_ISSUES}.`, next: "Write --issues 20." };
  const slots = wholeNumber(text("slots") ?? "2", MOST_SLOTS);
  if (slots === null)
    return { what: `--slots takes a whole number from 1 to ${MOST_SLOTS}.`, next: "Write --slots 2." };
  const budget = text("budget");
  if (budget !== null && !(Number(budget) > 0 && Number.isFinite(Number(budget))))
    return { what: "--budget takes a number of US dollars.", next: "Write --budget 50." };
  const out = text("out") ?? FILE;
  if (!out.endsWith(".jsonl"))
    return { what: "--out takes a file whose name ends with .jsonl.", next: `Write --out ${FILE}.` };
  return {
    issues,
    slots,
    agents: list("agent"),
    models: list("model"),
    role: text("role") ?? ROLE,
    budget: budget === null ? undefined : Number(budget),
    setup: text("setup"),
    test: text("test"),
    out,
    against: text("against"),
  };
}

function wholeNumber(text: string, most: number): number | null {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : null;
}

/** Returns the role that agents of the trial have; it must be one that hands in code. */
export function roleWished({ role: name }: TrialWish, { roles }: Pick<Settings, "roles">): Role | WishFault {
  const role = roles.get(name);
  if (role === undefined)
    return { what: `There is no role "${name}".`, next: "Name one of `flotilla roles list` with --role." };
  if (isCoder(role)) return role;
  const coders = [...roles.values()].filter(isCoder).map((one) => one.name);
  return {
    what: `The role ${name} hands in no code, so no tests can judge it.`,
    next: `Name one of ${coders.join(", ")} with --role.`,
  };
}

/**
 * Returns the agents with their models: each agent that is named, or the role's, with each model that is named and that it
 * may have, or with its own.
 */
export function armsWished(
  { agents, models, budget }: TrialWish,
  role: Role,
  settings: Settings,
): readonly TrialArm[] | WishFault {
  const known = runtimeNames(settings).filter((name) => fitsRole(role, name, settings));
  const wanted = agents ?? [runtimeOfRole(role, settings)];
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return {
      what: `There is no agent "${unknown}" that the role ${role.name} may have.`,
      next: `Name some of ${known.join(", ")} with --agent, or configure it: \`flotilla runtimes list\` shows what there is.`,
    };
  const arms = wanted.flatMap((agent): readonly TrialArm[] => {
    const there = roleIn(role, agent, settings);
    const own = modelWritten(runtimeUse(there, settings).models[0]);
    const allowed = allowedModels(there, settings);
    return (models ?? [own]).filter((model) => allowed.includes(model)).map((model) => ({ agent, model }));
  });
  const without = wanted.find((agent) => !arms.some((arm) => arm.agent === agent));
  const unused = models?.find((model) => !arms.some((arm) => arm.model === model));
  if (without !== undefined || unused !== undefined)
    return {
      what:
        unused === undefined
          ? `The agent ${without} may have none of the models that --model names.`
          : `No agent of this trial may have the model "${unused}".`,
      next: "Add the model to `runtime.models`, or for another agent to its `models` in `runtimes`.",
    };
  const [unpriced] = unpricedModels(arms, settings);
  if (budget !== undefined && unpriced !== undefined)
    return {
      what: `There is no price for ${unpriced} in \`runtime.prices\`, so --budget cannot be kept.`,
      next: "Add its price, or leave --budget out.",
    };
  return arms;
}

/** Returns the models whose costs nobody can tell: they count as nothing. */
export function unpricedModels(arms: readonly TrialArm[], settings: Settings): readonly string[] {
  const written = [...new Set(arms.map(({ model }) => model))];
  return written.filter((name) => {
    const { model } = namedModel(name, settings);
    return priceOf(settings.runtime.prices, model, model) === undefined;
  });
}

/** Returns the setup and test commands: those that are typed, else those of the repository. */
export function commandsWished(
  { setup, test }: TrialWish,
  there: Pick<Config, "setup" | "evidence">,
): { readonly setup: readonly string[]; readonly tests: readonly string[] } | WishFault {
  const tests = test === null ? there.evidence.commands : [test];
  if (tests.length === 0)
    return {
      what: "Nothing says how the repository's tests are run, so nothing can be judged.",
      next: 'Name the command, as in --test "npm test", or write evidence.commands into the configuration.',
    };
  return { setup: setup === null ? there.setup.commands : [setup], tests };
}
