import { moduleOf, multiplyAdd, multiplyThenAdd } from './assembler.ts';
import { kernelSources } from './kernel-sources.ts';

/** The inner loops of the nets. Addresses and distances are in bytes. */
export interface Kernels {
  /**
   * Convolution. For pixel `p` of `pixels`, the input begins at `input + offsets[p]`: `segments` pieces of `segmentBytes` (of VECTOR_BYTES
   * each), `segmentGap` apart. `panels`: the weights of PANEL_CHANNELS output channels after the other: their biases, then for each input
   * value theirs. The outputs of a pixel are `outputStep` from those of the one before, no value below `least` or above `most`.
   */
  convolve(
    input: number,
    offsets: number,
    pixels: number,
    segments: number,
    segmentBytes: number,
    segmentGap: number,
    panels: number,
    panelCount: number,
    output: number,
    outputStep: number,
    least: number,
    most: number,
  ): void;
  /**
   * Depthwise 3 × 3 convolution of one row of pixels, whose inputs are `step` apart; `rowBytes` from one row of the input to the next.
   * `weights`: for each LANES channels their biases, then their TAPS weights.
   */
  depthwise: OverNeighbours;
  /** The largest of 3 × 3 values, without weights. */
  largest: OverNeighbours;
  /** `output` = `one` + `other`, no value below `least`. `otherStep` 0: the first vector of the other is added everywhere. */
  sum(one: number, other: number, otherStep: number, output: number, bytes: number, least: number): void;
  /** Carries out parts of a shared convolution, while any is left that no thread has taken. `shared`: where SHARED_CALL is. */
  takeParts(shared: number): void;
  /** Copies pieces that stand one behind the other to places that are `toStep` apart. */
  spread(from: number, pieceBytes: number, pieces: number, to: number, toStep: number): void;
}

type OverNeighbours = (
  input: number,
  rowBytes: number,
  step: number,
  pixels: number,
  channelBytes: number,
  weights: number,
  output: number,
  least: number,
  most: number,
) => void;

/** The kernels for a shared memory of at most so many pages: with relaxed SIMD where the engine has it, which does the same in less time. */
export function compileKernels(mostPages: number): Promise<WebAssembly.Module> {
  const relaxed = moduleOf(kernelSources(multiplyAdd), mostPages);
  if (WebAssembly.validate(relaxed)) return WebAssembly.compile(relaxed);
  return WebAssembly.compile(moduleOf(kernelSources(multiplyThenAdd), mostPages));
}

export function kernelsOf(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  return new WebAssembly.Instance(module, { host: { memory } }).exports as unknown as Kernels;
}
