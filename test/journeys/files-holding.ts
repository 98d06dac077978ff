import { spawnSync } from "node:child_process";

/**
 * The files below the directory that hold one of the texts. Another process reads them: when this one closes a database
 * that it has open elsewhere, SQLite's locks are gone.
 */
export function filesHolding(directory: string, texts: readonly string[]): readonly string[] {
  // With -z the zeros of a huge sparse file are ends of lines, not one line that is held in memory.
  const { status, signal, error, stdout, stderr } = spawnSync("grep", ["-rlaFz", "-f", "-", directory], {
    input: texts.join("\n"),
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  if (status !== 0 && status !== 1) throw new Error(`grep: ${stderr || (error?.message ?? signal)}`);
  return stdout.split("\n").filter((line) => line !== "");
}
