import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../../domain/settings/settings.ts";

/** A key that two configurations set differently. */
export interface ChangedKey {
  /** The key's path as the configuration writes it: `policy.who_may_command`, `roles.planner`. */
  readonly key: string;
  /** The first configuration with the second one's value of this key. */
  readonly settings: Settings;
}

/** The differences between two configurations. */
export interface ChangedKeys {
  /** Keys down to the second level. */
  readonly keys: readonly ChangedKey[];
  /** Keys of the first level, because several keys of a section may make a difference only together. */
  readonly sections: readonly ChangedKey[];
}

/** Returns each key in which `other` differs from `base`. */
export function changedKeys(base: Settings, other: Settings): ChangedKeys {
  const keys: ChangedKey[] = [];
  const sections: ChangedKey[] = [];
  const names = new Set([...Object.keys(base), ...Object.keys(other)]);
  for (const name of names) {
    const [was, is]: readonly unknown[] = [Reflect.get(base, name), Reflect.get(other, name)];
    if (isDeepStrictEqual(was, is)) continue;
    sections.push({ key: asWritten(name), settings: { ...base, [name]: is } });
    for (const { key, value } of partsOf(was, is))
      keys.push({
        key: [name, ...key].map(asWritten).join("."),
        settings: { ...base, [name]: value },
      });
  }
  return { keys, sections };
}

/** Returns, for each part that differs, the first value with that part of the second. */
function partsOf(
  was: unknown,
  is: unknown,
): readonly { readonly key: readonly string[]; readonly value: unknown }[] {
  if (was instanceof Map && is instanceof Map) {
    const names = new Set([...was.keys(), ...is.keys()].map(String));
    return [...names]
      .filter((name) => !isDeepStrictEqual(was.get(name), is.get(name)))
      .map((name) => ({ key: [name], value: withEntry(was, name, is) }));
  }
  if (!isPlain(was) || !isPlain(is)) return [{ key: [], value: is }];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names]
    .filter((name) => !isDeepStrictEqual(was[name], is[name]))
    .map((name) => ({ key: [name], value: { ...was, [name]: is[name] } }));
}

function withEntry(was: ReadonlyMap<unknown, unknown>, name: string, is: ReadonlyMap<unknown, unknown>) {
  const next = new Map(was);
  if (is.has(name)) next.set(name, is.get(name));
  else next.delete(name);
  return next;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

/** Converts `whoMayCommand` to `who_may_command`; keeps names of roles and models. */
function asWritten(word: string): string {
  return /[/-]/.test(word) ? word : word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
