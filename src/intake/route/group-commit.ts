/** Turns of the event loop that an item waits at most before its commit begins. */
const LONGEST_TURNS = 8;

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

  /** While every turn of the event loop brings more, the next commit can take it along: an fsync costs far more. */
  async function gathered(): Promise<void> {
    for (let turn = 0, before = 0; turn < LONGEST_TURNS && waiting.length > before; turn += 1) {
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
