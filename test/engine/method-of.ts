/** A method of a fake as a value, to be called by the one that a test puts in its place. The fakes use no `this`. */
export function methodOf<T extends object, K extends keyof T>(fake: T, name: K): T[K] {
  return fake[name];
}
