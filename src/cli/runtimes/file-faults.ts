import { readdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf, RuntimeError } from "../../domain/kernel/errors.ts";

const OWNER = "Run the command as the user that Flotilla runs as, or give that user the directory";

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: OWNER,
  EPERM: OWNER,
  EROFS: "Make that file system writable, or set FLOTILLA_DATA_DIR to a directory on another one",
  ENOSPC: "Free space on that disk, and look with `df -i` whether it may have more files",
  EDQUOT: "Free space, or raise the quota",
};

/** Returns what to do about an error of the file system; null for any other error. */
export function fileAdvice(error: unknown): string | null {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return null;
  return `${ADVICE[String(error.code)] ?? "Correct FLOTILLA_DATA_DIR, or what lies there"}.`;
}

/** Throws where runtimes may be installed and cannot be seen. `dataDir`: absolute. */
export function refuseUnreadable(dataDir: string): void {
  try {
    readdirSync(join(dataDir, "runtimes"));
  } catch (error) {
    const advice = fileAdvice(error);
    if (advice === null) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw new RuntimeError("unreadable", `The installed runtimes cannot be read: ${messageOf(error)}.`, {
      consequence: "tell",
      advice,
      cause: error,
    });
  }
}
