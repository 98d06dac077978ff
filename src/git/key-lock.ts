/** One at a time per key, in order of arrival; different keys run side by side. Not reentrant. */
export interface KeyLock {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyLock(): KeyLock {
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = tails.get(key);
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      tails.set(key, done);
      await before;
      try {
        return await work();
      } finally {
        if (tails.get(key) === done) tails.delete(key);
        finish();
      }
    },
  };
}
