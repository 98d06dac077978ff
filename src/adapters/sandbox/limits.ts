const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Size of the sandbox's own /tmp and /dev/shm, which are in memory. */
export const TMP_BYTES = 2 * GIB;
export const SHM_BYTES = 256 * MIB;

/** Processes, threads included, of one sandbox, and of one agent where it has a control group. */
export const PROCESSES = 2048;

/** Limits of one sandbox: number of processes, and in bytes the memory of one process and the size of one file. */
interface Bounds {
  readonly processes: number;
  readonly data: number;
  readonly file: number;
}

/**
 * Returns the command prefix that sets the limits of a command and everything that it starts: processes of one sandbox,
 * memory of one process, size of one file, no core files. The limits are set inside the sandbox, so that only its own
 * processes count; processes inside cannot raise them. The kernel does not count the processes of user 0.
 */
function limitedTo({ processes, data, file }: Bounds): readonly string[] {
  return [
    "/usr/bin/prlimit",
    `--nproc=${processes}:${processes}`,
    `--data=${data}:${data}`,
    `--fsize=${file}:${file}`,
    "--core=0:0",
    "--",
  ];
}

export const LIMITED = limitedTo({ processes: PROCESSES, data: 8 * GIB, file: 8 * GIB });

/**
 * Limits of the host's own git on an agent's files: it runs with low priority and cannot read huge files into memory.
 */
export const GIT_LIMITED = [
  "/usr/bin/nice",
  "-n",
  "10",
  ...limitedTo({ processes: 256, data: 2 * GIB, file: 8 * GIB }),
];
