import { Crew, SHARED_CALL_INTEGERS } from './crew.ts';
import { LANES } from './kernel-forms.ts';
import { compileKernels, type Kernels, kernelsOf } from './kernels.ts';

const PAGE_BYTES = 65_536;
const FIRST_PAGES = 1_024;
/** 1 GB: address space, which is used as far as it is needed. */
const MOST_PAGES = 16_384;
export const FLOAT_BYTES = 4;

/** Pictures in the memory of the nets: channels of a pixel beside each other, then pixel by pixel, row by row. */
export interface Pictures {
  /** Index of the first float. */
  at: number;
  count: number;
  height: number;
  width: number;
  /** Floats of a pixel. */
  channels: number;
}

export const lengthOf = ({ count, height, width, channels }: Pictures): number => count * height * width * channels;

/** The memory that the nets compute in: their weights, which stay, and the pictures of one run. */
export class NetMemory {
  /** Behind what threads talk by. */
  private end = Math.ceil(SHARED_CALL_INTEGERS / LANES) * LANES;
  private floats: Float32Array;
  private integers: Int32Array;

  private constructor(
    private readonly memory: WebAssembly.Memory,
    readonly kernels: Kernels,
    /** Computes what is worth being shared out. */
    readonly crew: Crew,
  ) {
    [this.floats, this.integers] = viewsOf(memory);
  }

  static async create(): Promise<NetMemory> {
    const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
    const module = await compileKernels(MOST_PAGES);
    const kernels = kernelsOf(module, memory);
    return new NetMemory(memory, kernels, new Crew(kernels, module, memory, 0));
  }

  /** All floats. Not to be kept: what is allocated may replace them. */
  get all(): Float32Array {
    return this.floats;
  }

  /** Room for as many floats, their values arbitrary. Answers the index of the first. */
  allocate(floats: number): number {
    const at = this.end;
    this.end += Math.ceil(floats / LANES) * LANES;
    const missing = this.end * FLOAT_BYTES - this.memory.buffer.byteLength;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE_BYTES));
      [this.floats, this.integers] = viewsOf(this.memory);
    }
    return at;
  }

  /** Puts floats at the end. Answers the index of the first. */
  put(values: ArrayLike<number>): number {
    const at = this.allocate(values.length);
    this.floats.set(values, at);
    return at;
  }

  /** The same for integers of 32 bits. */
  putIntegers(values: Int32Array): number {
    const at = this.allocate(values.length);
    this.integers.set(values, at);
    return at;
  }

  pictures(count: number, height: number, width: number, channels: number): Pictures {
    return { at: this.allocate(count * height * width * channels), count, height, width, channels };
  }

  /** Runs a net: what it allocates is free again afterwards. */
  run<T>(work: () => T): T {
    const { end } = this;
    try {
      return work();
    } finally {
      this.end = end;
    }
  }
}

const viewsOf = ({ buffer }: WebAssembly.Memory): [Float32Array, Int32Array] => [
  new Float32Array(buffer),
  new Int32Array(buffer),
];
