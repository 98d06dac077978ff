import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg, totalmem } from "node:os";
import SqliteDatabase from "better-sqlite3";

/** Describes the machine, and its load before the first bench: above 1.5 the figures are unreliable. */
export function machine(now: Date): string {
  const gigabytes = (totalmem() / 1024 ** 3).toFixed(0);
  const git = execFileSync("git", ["--version"], { encoding: "utf8" }).trim().replace("git version ", "");
  const [load = 0] = loadavg();
  return [
    `${availableParallelism()} cores, ${gigabytes} GB`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    `git ${git}`,
    `SQLite ${sqliteVersion()}`,
    `load ${load.toFixed(2)} before the start${load > 1.5 ? ", too busy to go by" : ""}`,
    now.toISOString().slice(0, 10),
  ].join(", ");
}

function sqliteVersion(): string {
  const database = new SqliteDatabase(":memory:");
  try {
    return String(database.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    database.close();
  }
}
