// Classic BPF as the kernel's seccomp takes it: each instruction looks at the number, the architecture or an argument of a call.

export type Instruction = { code: number; whenTrue: number; whenFalse: number; value: number };

const load = 0x20;
const compare = { equal: 0x15, above: 0x25, atLeast: 0x35, anyBit: 0x45 } as const;
const give = 0x06;

const numberOffset = 0;
const architectureOffset = 4;
const firstArgumentOffset = 16;
const bytesOfInstruction = 8;
/** A jump counts instructions in one byte. */
const farthestJump = 255;

const plain = (code: number, value: number): Instruction => ({ code, whenTrue: 0, whenFalse: 0, value });

export const loadNumber = plain(load, numberOffset);
export const loadArchitecture = plain(load, architectureOffset);

/** The lower half, on machines that store it first. The kernel itself reads flags, families and requests from there only. */
export function loadArgument(position: number): Instruction {
  return plain(load, firstArgumentOffset + 8 * position);
}

export const allow = [plain(give, 0x7fff_0000)];
export const endProcess = [plain(give, 0x8000_0000)];

export function refuse(errorNumber: number): Instruction[] {
  return [plain(give, 0x0005_0000 | errorNumber)];
}

/** Does what is given if what was loaded compares so, and passes over it if not. */
export function when(how: keyof typeof compare, value: number, then: readonly Instruction[]): Instruction[] {
  if (then.length > farthestJump) throw new Error(`${then.length} instructions cannot be jumped over`);
  return [{ code: compare[how], whenTrue: 0, whenFalse: then.length, value }, ...then];
}

/** Does what is given if what was loaded is something else. */
export function unless(value: number, then: readonly Instruction[]): Instruction[] {
  return [{ code: compare.equal, whenTrue: then.length, whenFalse: 0, value }, ...then];
}

export function encodeProgram(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * bytesOfInstruction);
  for (const [position, { code, whenTrue, whenFalse, value }] of program.entries()) {
    const at = position * bytesOfInstruction;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(whenTrue, at + 2);
    bytes.writeUInt8(whenFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  }
  return bytes;
}
