export type Path = readonly (string | number)[];

/** What a field may hold in place of what is described; `GONE` takes it away. */
export const GONE = Symbol("gone");
export const WRONG: readonly unknown[] = [
  GONE,
  null,
  0,
  -1,
  1.5,
  2 ** 60,
  "",
  "text",
  "2026-13-45T99:99:99Z",
  true,
  [],
  [null],
  {},
  { "__proto__ ": 1, length: 3 },
];

/** The places directly within the one at the path. */
export function placesIn(value: unknown, path: Path): Path[] {
  const inner = valueAt(value, path);
  if (typeof inner !== "object" || inner === null) return [];
  return (Array.isArray(inner) ? [...inner.keys()] : Object.keys(inner)).map((key) => [...path, key]);
}

/** Every place of the value. */
export function pathsOf(value: unknown, path: Path = []): Path[] {
  return placesIn(value, path).flatMap((place) => [place, ...pathsOf(value, place)]);
}

/** A copy with these places damaged; those that are not there change nothing. */
export function damaged(value: unknown, paths: readonly Path[], wrong: unknown): unknown {
  const copy: unknown = structuredClone(value);
  // From the end, since an item that is taken out of a list moves those behind it.
  for (const path of paths.toReversed()) {
    const last = path.at(-1);
    const inner = valueAt(copy, path.slice(0, -1));
    if (last === undefined || typeof inner !== "object" || inner === null) continue;
    if (wrong !== GONE) Reflect.set(inner, last, wrong);
    else if (Array.isArray(inner)) inner.splice(Number(last), 1);
    else Reflect.deleteProperty(inner, last);
  }
  return copy;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner: unknown, key) => Reflect.get(Object(inner), key), value);
}

/** Fields of the port that may be null, or absent: all others are what they were. */
const NULLABLE =
  /\.(stateReason|milestone|dueOn|label|assignee|commit|line|headRepository|mergeCommit|mergedBy|step|lastEditedAt|merge|pull)$|\.versions\.\d+\.text$/;
const OPTIONAL = /\.(output|changedAt|changedLines|run)$|\.permissions\.\w+$|^value\.README\.md$/;

/** Where a value that was read from a damaged answer is of another form than the one from a good answer. */
export function formFaults(good: unknown, got: unknown, where = "value"): string[] {
  if (good === undefined || good === null) return [];
  if (got === undefined) return OPTIONAL.test(where) ? [] : [`${where} is missing`];
  if (got === null) return NULLABLE.test(where) || where === "value" ? [] : [`${where} is null`];
  if (typeof got !== typeof good) return [`${where} is a ${typeof got}`];
  if (typeof got === "number") return Number.isFinite(got) ? [] : [`${where} is ${got}`];
  if (typeof good !== "object") return [];
  if (Array.isArray(good) !== Array.isArray(got)) return [`${where} is no list any more`];
  if (Array.isArray(good) && Array.isArray(got))
    return got.flatMap((item, index) =>
      formFaults(good[Math.min(index, good.length - 1)], item, `${where}.${index}`),
    );
  return Object.entries(good).flatMap(([key, value]) => {
    const of = Reflect.get(got, key);
    // The port says so: the id of a delivery, and no other, may be larger than a number can hold.
    if (key === "id" && "guid" in good && typeof of === "bigint") return [];
    return formFaults(value, of, `${where}.${key}`);
  });
}
