import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeSync,
} from "node:fs";

/**
 * The files by which the kernel shows control groups. All calls are synchronous: the kernel has these files ready, and
 * nothing must happen between a look and the act that relies on it. Each throws the system's error.
 */
export interface GroupFiles {
  read(path: string): string;
  write(path: string, text: string): void;
  exists(path: string): boolean;
  /** Throws if this user may not write there. */
  assertWritable(path: string): void;
  make(directory: string): void;
  /** Removes a group, which must have neither processes nor groups in it. */
  remove(directory: string): void;
  /** Returns the names of the groups in a group. */
  groupsIn(directory: string): readonly string[];
}

export const groupFiles: GroupFiles = {
  read: (path) => readFileSync(path, "utf8"),
  write(path, text) {
    // Neither created nor read: some of these files can only be written.
    const file = openSync(path, constants.O_WRONLY | constants.O_TRUNC);
    try {
      writeSync(file, text);
    } finally {
      closeSync(file);
    }
  },
  exists: existsSync,
  assertWritable: (path) => accessSync(path, constants.W_OK),
  make: (directory) => mkdirSync(directory),
  remove: (directory) => rmdirSync(directory),
  groupsIn: (directory) =>
    readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    ),
};
