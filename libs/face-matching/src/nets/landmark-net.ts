import * as tf from '@tensorflow/tfjs-core';
import { MODELS } from '../engine-files.ts';
import { centred, convolve, separable, separate } from './layers.ts';
import type { Convolution, Separable } from './layers.ts';
import { Weights } from './weights.ts';

export const LANDMARK_SIDE_PX = 112;

export interface Point {
  x: number;
  y: number;
}

interface DenseBlock {
  enter: (x: tf.Tensor4D) => tf.Tensor4D;
  layers: Separable[];
}

/** Finds 68 points of a face (the iBUG 300-W annotation) in a square cut around it. */
export class LandmarkNet {
  readonly #blocks: DenseBlock[];
  readonly #weights: tf.Tensor2D;
  readonly #bias: tf.Tensor1D;

  private constructor(weights: Weights) {
    this.#blocks = [0, 1, 2, 3].map((nth) => ({
      enter: entrance(weights, nth),
      layers: [1, 2, 3].map((layer) => separable(weights, `dense${nth}/conv${layer}`, 1, 'linear')),
    }));
    this.#weights = weights.get('fc/weights');
    this.#bias = weights.get('fc/bias');
  }

  static async read(folder: string): Promise<LandmarkNet> {
    return new LandmarkNet(await Weights.read(folder, MODELS.landmarks));
  }

  /** 68 points for each cut, 0 to 1 of its side. `cuts`: RGB, LANDMARK_SIDE_PX square. */
  find(cuts: Uint8Array[]): Point[][] {
    const numbers = tf.tidy(() => {
      let x = centred(cuts, LANDMARK_SIDE_PX);
      for (const { enter, layers } of this.#blocks) {
        // Each layer sees the sum of all before it.
        let sum = enter(x);
        for (const layer of layers) sum = tf.add(sum, separate(tf.relu(sum), layer));
        x = tf.relu(sum);
      }
      x = tf.avgPool(x, 7, 2, 'valid');
      const flat = tf.reshape(x, [cuts.length, -1]) as tf.Tensor2D;
      return tf.add(tf.matMul(flat, this.#weights), this.#bias).dataSync<'float32'>();
    });
    return cuts.map((_, nth) =>
      Array.from({ length: 68 }, (_, point) => ({
        x: numbers[nth * 136 + point * 2] as number,
        y: numbers[nth * 136 + point * 2 + 1] as number,
      })),
    );
  }
}

function entrance(weights: Weights, nth: number): (x: tf.Tensor4D) => tf.Tensor4D {
  if (nth > 0) {
    const layer = separable(weights, `dense${nth}/conv0`, 2, 'relu');
    return (x) => separate(x, layer);
  }
  const layer: Convolution = {
    filter: weights.get('dense0/conv0/filters'),
    bias: weights.get('dense0/conv0/bias'),
    stride: 2,
    pad: 'same',
    activation: 'relu',
  };
  return (x) => convolve(x, layer);
}
