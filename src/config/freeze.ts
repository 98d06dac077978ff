/** Freezes a plain value and all that it holds; maps refuse changes as well. Returns the same value. */
export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    for (const inner of value.values()) freeze(inner);
    for (const method of ["set", "delete", "clear"]) {
      Object.defineProperty(value, method, { value: refuse });
    }
  }
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
  return value;
}

function refuse(): never {
  throw new TypeError("configuration is frozen");
}
