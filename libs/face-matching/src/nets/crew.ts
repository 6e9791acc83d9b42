import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { PANEL_BYTES, PART_INTEGERS, PARTS, PIXELS, SHARED_CALL } from './kernel-forms.ts';
import type { Kernels } from './kernels.ts';

/** Arguments of the convolution kernel. */
export type ConvolutionArguments = Parameters<Kernels['convolve']>;

const INTEGER_BYTES = 4;
/** Integers that a shared call takes. */
export const SHARED_CALL_INTEGERS = SHARED_CALL.parts + PARTS * PART_INTEGERS;
/** Fewer multiplications are done before another thread has woken up. */
const WORTH_SHARING = 1_000_000;

const HELPER = `
  const { module, memory, shared } = require('node:worker_threads').workerData;
  const { takeParts } = new WebAssembly.Instance(module, { host: { memory } }).exports;
  const call = new Int32Array(memory.buffer, shared, 1);
  for (let seen = 0; ; seen = Atomics.load(call, 0), takeParts(shared)) Atomics.wait(call, 0, seen);`;

/** The calling thread and, where there is another core, one more: they compute a convolution together. */
export class Crew {
  private readonly integers: Int32Array;
  private readonly floats: Float32Array;
  private readonly helped: boolean;

  /** `shared`: where a shared call may stand in the memory, in bytes. */
  constructor(
    private readonly kernels: Kernels,
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    private readonly shared: number,
  ) {
    this.integers = new Int32Array(memory.buffer, shared, SHARED_CALL_INTEGERS);
    this.floats = new Float32Array(memory.buffer, shared, SHARED_CALL_INTEGERS);
    this.helped = os.availableParallelism() > 1;
    if (!this.helped) return;
    const helper = new Worker(HELPER, { eval: true, workerData: { module, memory, shared } });
    helper.on('error', () => undefined); // one that does not start takes no part: this thread does them all
    helper.unref();
  }

  convolve(args: ConvolutionArguments): void {
    const [, , pixels, segments, segmentBytes, , , panelCount] = args;
    const multiplications =
      pixels * segments * segmentBytes * panelCount * (PANEL_BYTES / INTEGER_BYTES / INTEGER_BYTES);
    if (this.helped && multiplications >= WORTH_SHARING) this.share(args);
    else this.kernels.convolve(...args);
  }

  private share(args: ConvolutionArguments): void {
    const { integers, floats } = this;
    const [input, , , segments, segmentBytes, segmentGap, , , , outputStep, least, most] = args;
    integers.set([input, segments, segmentBytes, segmentGap, outputStep], SHARED_CALL.common);
    floats.set([least, most], SHARED_CALL.common + 5);
    integers.set(partsOf(args).flat(), SHARED_CALL.parts);
    Atomics.store(integers, SHARED_CALL.done, 0);
    Atomics.store(integers, SHARED_CALL.taken, 0);
    Atomics.add(integers, SHARED_CALL.called, 1);
    Atomics.notify(integers, SHARED_CALL.called);
    this.kernels.takeParts(this.shared);
    for (let done; (done = Atomics.load(integers, SHARED_CALL.done)) < PARTS;)
      Atomics.wait(integers, SHARED_CALL.done, done);
  }
}

/** Cuts a convolution into parts by its pixels or, where those are few, by its panels. */
function partsOf([
  ,
  offsets,
  pixels,
  segments,
  segmentBytes,
  ,
  panels,
  panelCount,
  output,
  outputStep,
]: ConvolutionArguments): number[][] {
  const each = (all: number, of: number) => Math.ceil(all / PARTS / of) * of;
  const parts = Array.from({ length: PARTS }, (_, nth) => nth);
  if (pixels >= 2 * PARTS * PIXELS || panelCount < PARTS) {
    const size = each(pixels, PIXELS);
    return parts.map((nth) => {
      const count = Math.max(0, Math.min(size, pixels - nth * size));
      return [offsets + nth * size * INTEGER_BYTES, count, panels, panelCount, output + nth * size * outputStep];
    });
  }
  const size = each(panelCount, 1);
  const panelBytes = PANEL_BYTES * (1 + (segments * segmentBytes) / INTEGER_BYTES);
  return parts.map((nth) => {
    const count = Math.max(0, Math.min(size, panelCount - nth * size));
    const first = nth * size;
    return [offsets, count > 0 ? pixels : 0, panels + first * panelBytes, count, output + first * PANEL_BYTES];
  });
}
