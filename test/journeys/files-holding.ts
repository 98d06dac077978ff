import { spawnSync } from "node:child_process";

/**
 * Returns the files below the directory that contain one of the texts. A separate process reads them: if this process
 * closed a database file that it also has open elsewhere, SQLite's locks would be lost.
 */
export function filesHolding(directory: string, texts: readonly string[]): readonly string[] {
  // With -z the zeros of a huge sparse file are line ends; otherwise they would be one line in memory.
  const { status, signal, error, stdout, stderr } = spawnSync("grep", ["-rlaFz", "-f", "-", directory], {
    input: texts.join("\n"),
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  if (status !== 0 && status !== 1) throw new Error(`grep: ${stderr || (error?.message ?? signal)}`);
  return stdout.split("\n").filter((line) => line !== "");
}
