import * as tf from '@tensorflow/tfjs-core';
import { MODELS } from '../engine-files.ts';
import { centred, convolve } from './layers.ts';
import type { Convolution } from './layers.ts';
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
  readonly #first: Convolution;
  readonly #blocks: { down: boolean; one: Convolution; two: Convolution }[];
  readonly #last: tf.Tensor2D;

  private constructor(weights: Weights) {
    this.#first = scaled(weights, 'conv32_down', true, 'relu');
    this.#blocks = BLOCKS.map(({ name, down }) => ({
      down,
      one: scaled(weights, `${name}/conv1`, down, 'relu'),
      two: scaled(weights, `${name}/conv2`, false, 'linear'),
    }));
    this.#last = weights.get('fc');
  }

  static async read(folder: string): Promise<DescriptorNet> {
    return new DescriptorNet(await Weights.read(folder, MODELS.descriptor));
  }

  /** One descriptor for each chip: RGB, CHIP_SIDE_PX square. */
  describe(chips: Uint8Array[]): Float32Array[] {
    const numbers = tf.tidy(() => {
      let x = convolve(centred(chips, CHIP_SIDE_PX), this.#first);
      x = tf.maxPool(x, 3, 2, 'valid');
      for (const { down, one, two } of this.#blocks) {
        const residual = convolve(convolve(x, one), two);
        x = tf.relu(down ? joined(tf.avgPool(x, 2, 2, 'valid'), residual) : tf.add(x, residual));
      }
      return tf.matMul(tf.mean<tf.Tensor2D>(x, [1, 2]), this.#last).dataSync<'float32'>();
    });
    const length = numbers.length / chips.length;
    return chips.map((_, nth) => numbers.slice(nth * length, (nth + 1) * length));
  }
}

/** dlib scales after its convolutions; that is done once, in the weights. */
function scaled(weights: Weights, name: string, down: boolean, activation: 'relu' | 'linear'): Convolution {
  const scale = weights.get<tf.Rank.R1>(`${name}/scale/weights`);
  return {
    filter: weights.fold<tf.Rank.R4>((all) => tf.mul(all.get<tf.Rank.R4>(`${name}/conv/filters`), scale)),
    bias: weights.fold<tf.Rank.R1>((all) =>
      tf.add(tf.mul(all.get<tf.Rank.R1>(`${name}/conv/bias`), scale), all.get<tf.Rank.R1>(`${name}/scale/biases`)),
    ),
    stride: down ? 2 : 1,
    pad: down ? 'valid' : 'same',
    activation,
  };
}

/** Sum of two pictures of which each may be larger in one respect: zeros fill what is missing. */
function joined(pooled: tf.Tensor4D, residual: tf.Tensor4D): tf.Tensor4D {
  const target = pooled.shape.map((size, axis) => Math.max(size, residual.shape[axis] as number));
  const grown = (x: tf.Tensor4D) =>
    tf.pad(x, x.shape.map((size, axis) => [0, (target[axis] as number) - size]) as [number, number][]);
  return tf.add(grown(pooled), grown(residual));
}
