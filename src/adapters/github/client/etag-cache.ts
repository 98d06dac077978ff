/** An answer that GitHub may confirm with 304, which does not count against its primary limit. */
interface Remembered<Answer> {
  readonly etag: string;
  readonly answer: Answer;
}

export interface EtagCache<Answer> {
  get(key: string): Remembered<Answer> | undefined;
  put(key: string, remembered: Remembered<Answer>): void;
  drop(key: string): void;
}

/** Caches the `limit` most recently used answers in memory. Keys include the reader, because permissions differ. */
export function createEtagCache<Answer>(limit: number): EtagCache<Answer> {
  // A Map iterates in insertion order, so the first key is the least recently used.
  const entries = new Map<string, Remembered<Answer>>();
  return {
    get(key) {
      const found = entries.get(key);
      if (found) {
        entries.delete(key);
        entries.set(key, found);
      }
      return found;
    },
    put(key, remembered) {
      entries.delete(key);
      entries.set(key, remembered);
      const oldest = entries.keys().next();
      if (entries.size > limit && !oldest.done) entries.delete(oldest.value);
    },
    drop: (key) => void entries.delete(key),
  };
}
