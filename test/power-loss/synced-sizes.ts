/** How many bytes of each file had reached the disk for sure, by the path that was written. */
export type SyncedSizes = ReadonlyMap<string, number>;

const UNFINISHED = /^(\d+) +(.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/;
const WHOLE = /^(\d+) +(.*)$/;
const OPENED = /^openat\([^"]*"[^"]*", ([^,)]+).*\) += \d+<([^>]+)>/;
const WROTE = /^pwrite64\(\d+<([^>]+)>, .*, (\d+)\) += (\d+)$/;
const CUT = /^ftruncate\(\d+<([^>]+)>, (\d+)\) += 0$/;
const SYNCED = /^(?:fsync|fdatasync)\(\d+<([^>]+)>\) += 0$/;

/**
 * Reads what strace (`-f -y`) wrote of openat, pwrite64, ftruncate, fsync and fdatasync. What is written counts when a sync
 * of its file ends, or at once where the file was opened with O_DSYNC; a cut counts at once, which is the worst case.
 */
export function syncedSizes(trace: string): SyncedSizes {
  const written = new Map<string, number>();
  const synced = new Map<string, number>();
  const waiting = new Set<string>();
  for (const call of callsIn(trace)) {
    const [, flags = "", opened] = OPENED.exec(call) ?? [];
    if (opened !== undefined && flags.includes("O_DSYNC")) waiting.add(opened);
    const [, path, at, length] = WROTE.exec(call) ?? [];
    if (path !== undefined) {
      // A log of SQLite's that begins again: what stands behind its header is of the time before.
      const again = path.endsWith("-wal") && at === "0";
      if (again) synced.set(path, 0);
      const end = Math.max(again ? 0 : (written.get(path) ?? 0), Number(at) + Number(length));
      written.set(path, end);
      if (waiting.has(path)) synced.set(path, end);
    }
    const [, cut, size] = CUT.exec(call) ?? [];
    if (cut !== undefined) {
      written.set(cut, Number(size));
      synced.set(cut, Math.min(synced.get(cut) ?? 0, Number(size)));
    }
    const done = SYNCED.exec(call)?.[1];
    if (done !== undefined) synced.set(done, written.get(done) ?? 0);
  }
  return new Map([...written.keys()].map((path) => [path, synced.get(path) ?? 0]));
}

/** Each call whole, in the order in which they ended. */
function callsIn(trace: string): readonly string[] {
  const begun = new Map<string, string>();
  return trace.split("\n").flatMap((line) => {
    const [, pid = "", start] = UNFINISHED.exec(line) ?? [];
    if (start !== undefined) {
      begun.set(pid, start);
      return [];
    }
    const [, resumer = "", rest] = RESUMED.exec(line) ?? [];
    if (rest !== undefined) return [`${begun.get(resumer) ?? ""}${rest}`];
    return WHOLE.exec(line)?.[2] ?? [];
  });
}
