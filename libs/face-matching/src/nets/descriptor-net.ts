import { MODELS } from '../engine-files.ts';
import { centred, convolution, convolve } from './layers.ts';
import type { Convolution } from './layers.ts';
import type { NetMemory, Pictures } from './net-memory.ts';
import { addTo, averagePool, grown, maxPool } from './pictures.ts';
import { Weights } from './weights.ts';

export const CHIP_SIDE_PX = 150;

/** Residual blocks in order; `down` halves the picture. */
const BLOCKS = [
  ...['conv32_1', 'conv32_2', 'conv32_3'].map((name) => ({ name, down: false })),
  { name: 'conv64_down', down: true },
  ...['conv64_1', 'conv64_2', 'conv64_3'].map((name) => ({ name, down: false })),
  { name: 'conv128_down', down: true },
  ...['conv128_1', 'conv128_2'].map((name) => ({ name, down: false })),
  { name: 'conv256_down', down: true },
  ...['conv256_1', 'conv256_2'].map((name) => ({ name, down: false })),
  { name: 'conv256_down_out', down: true },
];

/** The residual net that turns an aligned face into 128 numbers (dlib's face recognition model). */
export class DescriptorNet {
  readonly #memory: NetMemory;
  readonly #first: Convolution;
  readonly #blocks: { down: boolean; one: Convolution; two: Convolution }[];
  readonly #last: Convolution;

  private constructor(memory: NetMemory, weights: Weights) {
    const scaled = (name: string, down: boolean, activation: 'relu' | 'linear') => scaledLayer(memory, weights, { name, down, activation }); // prettier-ignore
    this.#memory = memory;
    this.#first = scaled('conv32_down', true, 'relu');
    this.#blocks = BLOCKS.map(({ name, down }) => ({
      down,
      one: scaled(`${name}/conv1`, down, 'relu'),
      two: scaled(`${name}/conv2`, false, 'linear'),
    }));
    const { shape, values } = weights.get('fc');
    const [from, to] = shape as [number, number];
    this.#last = convolution(memory, { shape: [1, 1, from, to], values }, new Float32Array(to), LINEAR);
  }

  static async read(memory: NetMemory, folder: string): Promise<DescriptorNet> {
    return new DescriptorNet(memory, await Weights.read(folder, MODELS.descriptor));
  }

  /** One descriptor for each chip: RGB, CHIP_SIDE_PX square. */
  describe(chips: Uint8Array[]): Float32Array[] {
    const memory = this.#memory;
    return memory.run(() => {
      let x = convolve(memory, centred(memory, chips, CHIP_SIDE_PX), this.#first);
      x = maxPool(memory, x);
      for (const { down, one, two } of this.#blocks) {
        const residual = convolve(memory, convolve(memory, x, one), two);
        x = down ? joined(memory, residual, averagePool(memory, x, 2, 2)) : addTo(memory, residual, x, 0);
      }
      const { at, channels } = convolve(memory, averagePool(memory, x, x.height, 1), this.#last);
      return chips.map((_, nth) => memory.all.slice(at + nth * channels, at + (nth + 1) * channels));
    });
  }
}

const LINEAR = { stride: 1, pad: 'valid', activation: 'linear' } as const;

/** dlib scales after its convolutions; that is done once, in the weights. */
function scaledLayer(
  memory: NetMemory,
  weights: Weights,
  { name, down, activation }: { name: string; down: boolean; activation: 'relu' | 'linear' },
): Convolution {
  const [scale, shift, bias] = ['scale/weights', 'scale/biases', 'conv/bias'].map((what) => weights.values(`${name}/${what}`)) as [Float32Array, Float32Array, Float32Array]; // prettier-ignore
  const { shape, values } = weights.get(`${name}/conv/filters`);
  const filter = { shape, values: values.map((value, at) => value * (scale[at % scale.length] as number)) };
  const shifted = bias.map((value, at) => value * (scale[at] as number) + (shift[at] as number));
  return convolution(memory, filter, shifted, { stride: down ? 2 : 1, pad: down ? 'valid' : 'same', activation });
}

/** Sum of two pictures, without what is negative, of which each may be larger in one respect: zeros fill what is missing. */
function joined(memory: NetMemory, residual: Pictures, pooled: Pictures): Pictures {
  const [height, width, channels] = (['height', 'width', 'channels'] as const).map((length) => Math.max(pooled[length], residual[length])) as [number, number, number]; // prettier-ignore
  const whole = (x: Pictures) => grown(memory, x, { rows: height - x.height, columns: width - x.width, channels: channels - x.channels }); // prettier-ignore
  return addTo(memory, whole(residual), whole(pooled), 0);
}
