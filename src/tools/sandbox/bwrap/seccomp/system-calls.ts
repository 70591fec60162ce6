// The calls that a box refuses, by their numbers on each architecture. From 424 on a call has the same number everywhere.

export type Architecture = "x64" | "arm64";

type Numbers = Readonly<{ x64: number; arm64: number | undefined }>;

const on = <Arm extends number | undefined = undefined>(x64: number, arm64?: Arm) => ({ x64, arm64: arm64 as Arm });
const everywhere = (number: number) => on(number, number);

/** What the kernel calls each architecture in front of a filter. */
export const architectureMarks: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** The last call that this list knows. What comes later, or is spelled as x32, is answered as if there were no such call. */
export const lastKnownCall = 469;

/** No program that belongs into a box needs them; most want rights that it does not have anyway. */
export const forbiddenCalls: Readonly<Record<string, Numbers>> = {
  // keys of the person's session
  add_key: on(248, 217),
  request_key: on(249, 218),
  keyctl: on(250, 219),
  // other processes
  ptrace: on(101, 117),
  process_vm_readv: on(310, 270),
  process_vm_writev: on(311, 271),
  process_madvise: everywhere(440),
  process_mrelease: everywhere(448),
  pidfd_getfd: everywhere(438),
  kcmp: on(312, 272),
  move_pages: on(279, 239),
  migrate_pages: on(256, 238),
  // parts of the kernel that are often broken
  userfaultfd: on(323, 282),
  bpf: on(321, 280),
  perf_event_open: on(298, 241),
  fanotify_init: on(300, 262),
  // mounts and roots
  mount: on(165, 40),
  umount2: on(166, 39),
  pivot_root: on(155, 41),
  chroot: on(161, 51),
  open_tree: everywhere(428),
  move_mount: everywhere(429),
  fsopen: everywhere(430),
  fsconfig: everywhere(431),
  fsmount: everywhere(432),
  fspick: everywhere(433),
  mount_setattr: everywhere(442),
  open_tree_attr: everywhere(467),
  setns: on(308, 268),
  // files without their names
  name_to_handle_at: on(303, 264),
  open_by_handle_at: on(304, 265),
  // the machine itself
  kexec_load: on(246, 104),
  kexec_file_load: on(320, 294),
  init_module: on(175, 105),
  finit_module: on(313, 273),
  delete_module: on(176, 106),
  create_module: on(174),
  query_module: on(178),
  get_kernel_syms: on(177),
  quotactl: on(179, 60),
  quotactl_fd: everywhere(443),
  swapon: on(167, 224),
  swapoff: on(168, 225),
  reboot: on(169, 142),
  acct: on(163, 89),
  settimeofday: on(164, 170),
  adjtimex: on(159, 171),
  clock_settime: on(227, 112),
  clock_adjtime: on(305, 266),
  sethostname: on(170, 161),
  setdomainname: on(171, 162),
  syslog: on(103, 116),
  vhangup: on(153, 58),
  iopl: on(172),
  ioperm: on(173),
  lsm_set_self_attr: everywhere(460),
};

/** Programs do without them when there is no such call. */
export const absentCalls: Readonly<Record<string, Numbers>> = {
  io_uring_setup: everywhere(425),
  io_uring_enter: everywhere(426),
  io_uring_register: everywhere(427),
  // its flags lie in memory, where no filter can see them; every libc then makes a process by clone
  clone3: everywhere(435),
  statmount: everywhere(457),
  listmount: everywhere(458),
  uselib: on(134),
  _sysctl: on(156),
  nfsservctl: on(180, 42),
  lookup_dcookie: on(212, 18),
};

/** Those that are refused whatever their arguments. */
export function numbersOf(architecture: Architecture): number[] {
  return Object.values({ ...forbiddenCalls, ...absentCalls }).flatMap((call) => call[architecture] ?? []);
}

/** Refused only with certain arguments. */
export const judgedCalls = {
  clone: on(56, 220),
  unshare: on(272, 97),
  socket: on(41, 198),
  socketpair: on(53, 199),
  ioctl: on(16, 29),
  personality: on(135, 92),
} as const satisfies Record<string, Numbers>;
