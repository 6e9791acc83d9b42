/** Instructions as bytes, nested as they are written. */
export type Code = readonly (number | Code)[];
type Type = (typeof TYPES)[keyof typeof TYPES];

const TYPES = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
const FUNCTION = 0x60;
const NO_RESULT = 0x40;
/** Of a memory that several threads use, with a maximum. */
const SHARED = 0x03;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;

/** A WebAssembly function that returns nothing. `body` asks for its locals. */
export interface FunctionSource {
  name: string;
  params: readonly (keyof typeof TYPES)[];
  body: (locals: Locals) => Code;
}

/** Gives numbers to the locals of a function, its parameters first. */
export class Locals {
  readonly types: Type[] = [];

  constructor(private readonly params: number) {}

  i32(): number {
    return this.add(TYPES.i32);
  }

  v128(): number {
    return this.add(TYPES.v128);
  }

  private add(type: Type): number {
    return this.params + this.types.push(type) - 1;
  }
}

const unsigned = (value: number): Code => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, unsigned(value >>> 7)]);
const signed = (value: number): Code =>
  value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, signed(value >> 7)];

export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number, value: Code): Code => [value, 0x21, unsigned(local)];
export const constant = (value: number): Code => [0x41, signed(value)];
export const add = (a: Code, b: Code): Code => [a, b, 0x6a];
export const subtract = (a: Code, b: Code): Code => [a, b, 0x6b];
export const multiply = (a: Code, b: Code): Code => [a, b, 0x6c];
export const isGreater = (a: Code, b: Code): Code => [a, b, 0x4a];
export const isEqual = (a: Code, b: Code): Code => [a, b, 0x46];
export const select = (condition: Code, yes: Code, no: Code): Code => [yes, no, condition, 0x1b];
/** Runs `body` until `again` is zero; at least once. */
export const repeat = (body: Code, again: Code): Code => [0x03, NO_RESULT, body, again, 0x0d, 0x00, 0x0b];

/** Runs `body` while `condition` is not zero. */
export const during = (condition: Code, body: Code): Code => [
  [0x03, NO_RESULT],
  [condition, 0x04, NO_RESULT, body, 0x0c, 0x01, 0x0b],
  0x0b,
];
export const when = (condition: Code, body: Code): Code => [condition, 0x04, NO_RESULT, body, 0x0b];
/** Calls the function with this number in the module. */
export const call = (nth: number, args: readonly Code[]): Code => [args, 0x10, unsigned(nth)];
/** Adds one to an integer that other threads change, too; answers what it was. */
export const takeNumber = (address: Code, offset: number): Code => [address, constant(1), 0xfe, 0x1e, 0x02, unsigned(offset)]; // prettier-ignore
/** Wakes a thread that waits for a change of this integer. */
export const notify = (address: Code, offset: number): Code => [address, constant(1), 0xfe, 0x00, 0x02, unsigned(offset), 0x1a]; // prettier-ignore

export const load = (address: Code, offset = 0): Code => [address, 0xfd, 0x00, 0x02, unsigned(offset)];
export const loadFloat = (address: Code, offset = 0): Code => [address, 0x2a, 0x02, unsigned(offset)];
export const loadInteger = (address: Code, offset = 0): Code => [address, 0x28, 0x02, unsigned(offset)];
/** One float, four times. */
export const loadSplat = (address: Code, offset = 0): Code => [address, 0xfd, 0x09, 0x02, unsigned(offset)];
export const store = (address: Code, value: Code, offset = 0): Code => [address, value, 0xfd, 0x0b, 0x02, unsigned(offset)]; // prettier-ignore
/** Copies bytes; from and to may not overlap. */
export const copy = (to: Code, from: Code, bytes: Code): Code => [to, from, bytes, 0xfc, 0x0a, 0x00, 0x00];
export const zero = (at: Code, bytes: Code): Code => [at, constant(0), bytes, 0xfc, 0x0b, 0x00];
export const splat = (float: Code): Code => [float, 0xfd, 0x13];
export const sum = (a: Code, b: Code): Code => [a, b, 0xfd, 0xe4, 0x01];
export const larger = (a: Code, b: Code): Code => [a, b, 0xfd, 0xeb, 0x01];
export const smaller = (a: Code, b: Code): Code => [a, b, 0xfd, 0xea, 0x01];
/** a · b + c, rounded twice. */
export const multiplyThenAdd = (a: Code, b: Code, c: Code): Code => [a, b, 0xfd, 0xe6, 0x01, c, 0xfd, 0xe4, 0x01];
/** a · b + c as the processor does it faster (relaxed SIMD): rounded once where it can. */
export const multiplyAdd = (a: Code, b: Code, c: Code): Code => [a, b, c, 0xfd, 0x85, 0x02];

const vector = (items: readonly Code[]): Code => [unsigned(items.length), items];
const text = (value: string): Code => vector([...Buffer.from(value)].map((byte) => [byte]));
const sized = (code: Code): Code => {
  const bytes = code.flat(Infinity as 1);
  return [unsigned(bytes.length), bytes];
};
const section = (id: number, items: readonly Code[]): Code => [id, sized(vector(items))];

/** The bytes of a module with these functions, which work on an imported shared memory `host.memory` of at most so many pages. */
export function moduleOf(functions: readonly FunctionSource[], mostPages: number): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params }) => [FUNCTION, vector(params.map((param) => [TYPES[param]])), vector([])]);
  const codes = functions.map(({ params, body }) => {
    const locals = new Locals(params.length);
    const instructions = body(locals);
    return sized([vector(locals.types.map((type) => [1, type])), instructions, 0x0b]);
  });
  const memory = [text('host'), text('memory'), 0x02, SHARED, 0x01, unsigned(mostPages)];
  const code: Code = [
    HEADER,
    section(SECTION.type, types),
    section(SECTION.import, [memory]),
    section(SECTION.function, functions.map((_, nth) => unsigned(nth))), // prettier-ignore
    section(SECTION.export, functions.map(({ name }, nth) => [text(name), 0x00, unsigned(nth)])), // prettier-ignore
    section(SECTION.code, codes),
  ];
  return Uint8Array.from(code.flat(Infinity as 1) as number[]);
}
