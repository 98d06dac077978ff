/** Turns of the event loop that an item waits at most before its commit begins; a turn takes some microseconds. */
const LONGEST_TURNS = 200;
/** So many turns without another item, and the commit begins: it runs beside the loop, so waiting longer costs more than it saves. */
const QUIET_TURNS = 1;

/**
 * Makes one commit of everything that comes in while the last commit is under way. The returned function resolves when
 * its item is committed and rejects, with all of the same group, when the commit fails. `commit` gets at most `limit`.
 */
export function createGroupCommit<T>(
  commit: (items: readonly T[]) => Promise<void>,
  limit = 200,
): (item: T) => Promise<void> {
  let waiting: { item: T; done: PromiseWithResolvers<void> }[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await gathered();
      const group = waiting.slice(0, limit);
      waiting = waiting.slice(limit);
      try {
        await commit(group.map(({ item }) => item));
        for (const { done } of group) done.resolve();
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    busy = false;
  }

  /** Waits while more keeps coming, since an fsync costs far more than the turns: the next commit takes it along. */
  async function gathered(): Promise<void> {
    let before = 0;
    let quiet = 0;
    for (let turn = 0; turn < LONGEST_TURNS && quiet < QUIET_TURNS && waiting.length < limit; turn += 1) {
      quiet = waiting.length > before ? 0 : quiet + 1;
      before = waiting.length;
      await new Promise(setImmediate);
    }
  }

  return (item) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ item, done });
    if (!busy) {
      busy = true;
      void drain();
    }
    return done.promise;
  };
}
