import {
  allow,
  encodeProgram,
  endProcess,
  type Instruction,
  loadArchitecture,
  loadArgument,
  loadNumber,
  refuse,
  unless,
  when,
} from "./bpf-program.ts";
import {
  type Architecture,
  absentCalls,
  architectureMarks,
  forbiddenCalls,
  judgedCalls,
  lastKnownCall,
} from "./system-calls.ts";

const forbidden = refuse(1);
const absent = refuse(38);
const noSuchFamily = refuse(97);

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e02_0000;
/** CLONE_NEWTIME; for clone its bit belongs to the signal that tells of the end. */
const newTimeNamespace = 0x80;
const unixFamily = 1;
const internetFamilies = [2, 10];
const netlinkFamily = 16;
/** By which programs ask for the addresses of the machine; the other protocols of netlink reach deep into the kernel. */
const routeProtocol = 0;
/** TIOCSTI and TIOCLINUX type into a terminal, TIOCSETD puts rarely used code of the kernel in charge of one. */
const terminalRequests = [0x5412, 0x541c, 0x5423];
/** Linux, with or without an old name and the 32-bit machine's; all ones asks which it is. Others weaken memory. */
const harmlessPersonalities = [0, 0x8, 0x20000, 0x20008, 0xffff_ffff];

/** The system calls that a box allows, in the form that bwrap loads; undefined for an architecture that is not known. */
export function boxFilter(architecture: string): Buffer | undefined {
  return isKnown(architecture) ? encodeProgram(filterProgram(architecture)) : undefined;
}

function isKnown(architecture: string): architecture is Architecture {
  return Object.hasOwn(architectureMarks, architecture);
}

function filterProgram(architecture: Architecture): Instruction[] {
  return [
    loadArchitecture,
    // a call of another architecture has other numbers: none of them may pass for one that is allowed
    ...unless(architectureMarks[architecture], endProcess),
    loadNumber,
    ...when("above", lastKnownCall, absent),
    ...judgedNames.flatMap((name) => when("equal", judgedCalls[name][architecture], judges[name])),
    ...each(forbiddenCalls, forbidden),
    ...each(absentCalls, absent),
    ...allow,
  ];

  function each(calls: typeof forbiddenCalls, answer: readonly Instruction[]): Instruction[] {
    const numbers = Object.values(calls).flatMap((call) => call[architecture] ?? []);
    return numbers.flatMap((number) => when("equal", number, answer));
  }
}

const judgedNames = Object.keys(judgedCalls) as (keyof typeof judgedCalls)[];

const socketJudge = [
  loadArgument(0),
  ...[unixFamily, ...internetFamilies].flatMap((family) => when("equal", family, allow)),
  ...when("equal", netlinkFamily, [loadArgument(2), ...when("equal", routeProtocol, allow), ...noSuchFamily]),
  ...noSuchFamily,
];

const judges: Readonly<Record<keyof typeof judgedCalls, readonly Instruction[]>> = {
  clone: [loadArgument(0), ...when("anyBit", newNamespaces, forbidden), ...allow],
  unshare: [loadArgument(0), ...when("anyBit", newNamespaces | newTimeNamespace, forbidden), ...allow],
  socket: socketJudge,
  socketpair: socketJudge,
  ioctl: [loadArgument(1), ...terminalRequests.flatMap((request) => when("equal", request, forbidden)), ...allow],
  personality: [
    loadArgument(0),
    ...harmlessPersonalities.flatMap((personality) => when("equal", personality, allow)),
    ...forbidden,
  ],
};
