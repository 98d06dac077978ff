/** Creates a queue that runs jobs one after another in the given order. A failed job does not stop the next. */
export function createSerial(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job, job);
    last = next.catch(() => undefined);
    return next;
  };
}
