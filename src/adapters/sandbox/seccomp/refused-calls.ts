/** Numbers of one system call; null if the architecture does not have it. */
type Numbers = readonly [x64: number | null, arm64: number | null];

/**
 * System calls that confined processes may not make (EPERM): those that attach to another process or read it, inspect
 * or change the kernel, mount, or enter a namespace. `config/deploy/seccomp.json` refuses the same, except those that
 * bubblewrap needs.
 */
export const REFUSED_CALLS: Readonly<Record<string, Numbers>> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, null],
  iopl: [172, null],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  mbind: [237, 235],
  migrate_pages: [256, 238],
  modify_ldt: [154, null],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_madvise: [440, 440],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  setdomainname: [171, 162],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
};

/** Calls that depend on an argument, and `clone3`, whose flags a filter cannot read. */
export const CLONE: Numbers = [56, 220];
export const CLONE3: Numbers = [435, 435];
export const UNSHARE: Numbers = [272, 97];
export const SOCKET: Numbers = [41, 198];
