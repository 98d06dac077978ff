import { agentLimits } from "../breakers/limits.ts";
import { duration } from "../messages/format.ts";
import type { Direction, Keys } from "./keys.ts";
import type { RepositoryOverride } from "./repository-override.ts";
import { BREAKER_SECTIONS, TOP_KEYS, TOP_SECTIONS } from "./repository-schema.ts";
import type { Settings } from "./settings.ts";
import { settingsFor } from "./settings-for.ts";

/** A setting that a repository's own file names, as people write the values; null where none is set. */
export interface ChangedSetting {
  /** Its path in the file. */
  readonly key: string;
  /** The value in force. */
  readonly value: string | null;
  readonly operator: string | null;
  /** What the file asks for, where the operator's settings do not allow that; null where it is in force. */
  readonly refused: string | null;
}

/** Directions in which what is asked for may go too far; the others take it whole. */
const BOUNDED: readonly Direction[] = [
  "lower",
  "raise",
  "switch_on",
  "switch_off",
  "replace_unless_off",
  "choose",
];

/**
 * Lists what a repository's file names, with what holds there. Of services, whose environment may hold secrets, and of
 * environment variables it has the names alone.
 */
export function changedSettings(base: Settings, written: RepositoryOverride): readonly ChangedSetting[] {
  const inForce = settingsFor(base, written);
  const sections = [
    ...TOP_SECTIONS.map((section) => ({ ...section, path: `${section.key}.` })),
    ...BREAKER_SECTIONS.map((section) => ({ ...section, path: `circuit_breakers.${section.key}.` })),
  ];
  return [
    ...ofKeys("", TOP_KEYS, { ours: base, theirs: written, now: inForce }),
    ...sections.flatMap(({ name, path, keys }) => {
      const at = (settings: object): object => Reflect.get(settings, name) ?? {};
      return ofKeys(path, keys, { ours: at(base), theirs: at(written), now: at(inForce) });
    }),
    ...ofKeys("circuit_breakers.defaults.", agentLimits, {
      ours: base.limits.defaults,
      theirs: written.limits.defaults,
      now: inForce.limits.defaults,
    }),
    ...Object.entries(written.limits.roles).flatMap(([role, theirs]) =>
      ofKeys(`circuit_breakers.roles.${role}.`, agentLimits, {
        ours: { ...base.limits.defaults, ...base.limits.roles.get(role) },
        theirs,
        now: { ...inForce.limits.defaults, ...inForce.limits.roles.get(role) },
      }),
    ),
    ...Object.entries(written.roles).flatMap(([name, { triggers, file }]) => {
      const [ours, now] = [base.roles.get(name), inForce.roles.get(name)];
      return [
        ...(triggers === undefined
          ? []
          : [
              changed(`roles.${name}.triggers`, {
                ours: ours?.triggers,
                theirs: triggers,
                now: now?.triggers,
              }),
            ]),
        ...(file === undefined
          ? []
          : [
              {
                key: `roles.${name}`,
                value: "a role file of the repository",
                operator: ours === undefined ? null : "the operator's role",
                refused: null,
              },
            ]),
      ];
    }),
  ];
}

interface Values {
  readonly ours: object;
  readonly theirs: object;
  readonly now: object;
}

function ofKeys(path: string, keys: Keys, { ours, theirs, now }: Values): readonly ChangedSetting[] {
  return Object.entries(keys).flatMap(([name, entry]) => {
    const asked: unknown = Reflect.get(theirs, name);
    if ("keys" in entry || entry.repository === undefined || asked === undefined) return [];
    const values = { ours: Reflect.get(ours, name), theirs: asked, now: Reflect.get(now, name) };
    return [changed(`${path}${entry.key}`, values, { name, direction: entry.repository })];
  });
}

function changed(
  key: string,
  { ours, theirs, now }: { readonly ours: unknown; readonly theirs: unknown; readonly now: unknown },
  { name, direction }: { readonly name: string; readonly direction: Direction } = {
    name: "",
    direction: "replace",
  },
): ChangedSetting {
  const text = (value: unknown) => asWritten(name, value);
  const isRefused = BOUNDED.includes(direction) && text(now) !== text(theirs);
  return { key, value: text(now), operator: text(ours), refused: isRefused ? text(theirs) : null };
}

/** Their values may be secrets, also the operator's, whom those who read the repository are not. */
const NAMED_ALONE = new Set(["services", "environment"]);

/** Returns a value as people write it. Names of durations end in `Ms`. */
function asWritten(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (name.endsWith("Ms") && typeof value === "number") return duration(value);
  if (NAMED_ALONE.has(name) && typeof value === "object") return Object.keys(value).join(", ") || "none";
  // Commands line by line, in which what looks like a password can be found.
  if (isTexts(value)) return value.length === 0 ? "none" : value.join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
