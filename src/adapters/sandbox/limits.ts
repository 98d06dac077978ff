const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Size of the sandbox's own /tmp and /dev/shm, which lie in memory. */
export const TMP_BYTES = 2 * GIB;
export const SHM_BYTES = 256 * MIB;

/** What bounds one sandbox: its number of processes, the memory of one process and the size of one file in bytes. */
interface Bounds {
  readonly processes: number;
  readonly data: number;
  readonly file: number;
}

/**
 * What stands before a command so that it and all it starts are bounded: processes of one sandbox, memory of one process,
 * size of one file, no core files. Lowered inside the sandbox, so that only its own processes count; nobody in there can
 * raise them. The kernel does not count the processes of user 0.
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

export const LIMITED = limitedTo({ processes: 2048, data: 8 * GIB, file: 8 * GIB });

/** Of the host's own git on an agent's files: it gives way to everything else, and reads no file of gigabytes into memory. */
export const GIT_LIMITED = [
  "/usr/bin/nice",
  "-n",
  "10",
  ...limitedTo({ processes: 256, data: 2 * GIB, file: 8 * GIB }),
];
