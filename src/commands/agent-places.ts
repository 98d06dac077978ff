import { createDataDisk } from "./data-disk.ts";
import { agentDirectories } from "./directories.ts";

/** What the engine is given of the data directory: agents' directories, and the disk that they take room on. */
export function agentPlaces(dataDir: string) {
  return { directories: agentDirectories(dataDir), disk: createDataDisk(dataDir) };
}
