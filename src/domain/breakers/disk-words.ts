/** What a person can do for an agent that was stopped because of the disk space it uses. */
export const DISK_QUESTION =
  "Please free disk space (`/flotilla cancel` ends this agent and deletes what it kept, its work is archived), then resume. Its files are as it left them.";

/** Returns a size in the largest unit of which it has at least one. */
export function sizeInWords(bytes: number): string {
  const gib = bytes / 1024 ** 3;
  return gib >= 1 ? `${Number(gib.toFixed(1))} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;
}

export function filesInWords(files: number): string {
  return `${files.toLocaleString("en-US")} files`;
}
