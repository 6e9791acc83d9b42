import { MODELS } from '../engine-files.ts';
import { centred, convolution, convolve, depthwiseConvolution, type LayerForm, separate } from './layers.ts';
import type { Convolution, Separable } from './layers.ts';
import type { NetMemory, Pictures } from './net-memory.ts';
import { addTo, averagePool, relu } from './pictures.ts';
import { Weights } from './weights.ts';

export const LANDMARK_SIDE_PX = 112;

export interface Point {
  x: number;
  y: number;
}

interface DenseBlock {
  enter: (x: Pictures) => Pictures;
  layers: Separable[];
}

/** Finds 68 points of a face (the iBUG 300-W annotation) in a square cut around it. */
export class LandmarkNet {
  readonly #memory: NetMemory;
  readonly #blocks: DenseBlock[];
  readonly #last: Convolution;

  private constructor(memory: NetMemory, weights: Weights) {
    this.#memory = memory;
    this.#blocks = [0, 1, 2, 3].map((nth) => ({
      enter: entrance(memory, weights, nth),
      layers: [1, 2, 3].map((layer) => separable(memory, weights, `dense${nth}/conv${layer}`, LINEAR)),
    }));
    const { shape, values } = weights.get('fc/weights');
    this.#last = convolution(memory, { shape: [1, 1, ...shape], values }, weights.values('fc/bias'), LINEAR);
  }

  static async read(memory: NetMemory, folder: string): Promise<LandmarkNet> {
    return new LandmarkNet(memory, await Weights.read(folder, MODELS.landmarks));
  }

  /** 68 points for each cut, 0 to 1 of its side. `cuts`: RGB, LANDMARK_SIDE_PX square. */
  find(cuts: Uint8Array[]): Point[][] {
    const memory = this.#memory;
    return memory.run(() => {
      let x = centred(memory, cuts, LANDMARK_SIDE_PX);
      for (const { enter, layers } of this.#blocks) {
        // Each layer sees the sum of all before it.
        const sum = enter(x);
        for (const layer of layers) addTo(memory, sum, separate(memory, relu(memory, sum), layer));
        x = relu(memory, sum);
      }
      const pooled = averagePool(memory, x, 7, 2);
      const flat = { ...pooled, height: 1, width: 1, channels: pooled.height * pooled.width * pooled.channels };
      const { at, channels } = convolve(memory, flat, this.#last);
      const { all } = memory;
      return cuts.map((_, nth) =>
        Array.from({ length: 68 }, (_, point) => ({
          x: all[at + nth * channels + point * 2] as number,
          y: all[at + nth * channels + point * 2 + 1] as number,
        })),
      );
    });
  }
}

const LINEAR: LayerForm = { stride: 1, pad: 'same', activation: 'linear' };

function entrance(memory: NetMemory, weights: Weights, nth: number): (x: Pictures) => Pictures {
  const form: LayerForm = { stride: 2, pad: 'same', activation: 'relu' };
  if (nth > 0) {
    const layer = separable(memory, weights, `dense${nth}/conv0`, form);
    return (x) => separate(memory, x, layer);
  }
  const layer = convolution(memory, weights.get('dense0/conv0/filters'), weights.values('dense0/conv0/bias'), form);
  return (x) => convolve(memory, x, layer);
}

/** The activation follows the pointwise filter. */
function separable(
  memory: NetMemory,
  weights: Weights,
  name: string,
  { stride, pad, activation }: LayerForm,
): Separable {
  const filter = weights.get(`${name}/depthwise_filter`);
  const none = new Float32Array(filter.shape[2] as number);
  const [pointwise, bias] = [weights.get(`${name}/pointwise_filter`), weights.values(`${name}/bias`)];
  return {
    depthwise: depthwiseConvolution(memory, filter, none, { stride, pad, activation: 'linear' }),
    pointwise: convolution(memory, pointwise, bias, { stride: 1, pad, activation }),
  };
}
