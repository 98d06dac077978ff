const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Size of the sandbox's own /tmp and /dev/shm, which lie in memory. */
export const TMP_BYTES = 2 * GIB;
export const SHM_BYTES = 256 * MIB;

/**
 * What stands before a command so that it and all it starts are bounded: processes of one sandbox, memory of one process,
 * size of one file, no core files. Lowered inside the sandbox, so that only its own processes count; nobody in there can
 * raise them. The kernel does not count the processes of user 0.
 */
export const LIMITED: readonly string[] = [
  "/usr/bin/prlimit",
  "--nproc=2048:2048",
  `--data=${8 * GIB}:${8 * GIB}`,
  `--fsize=${8 * GIB}:${8 * GIB}`,
  "--core=0:0",
  "--",
];
