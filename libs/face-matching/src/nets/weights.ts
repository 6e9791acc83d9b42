import fs from 'node:fs/promises';
import path from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { filesOf } from '../engine-files.ts';
import type { ModelName } from '../engine-files.ts';

type WeightSpecs = Parameters<typeof tf.io.decodeWeights>[1];

/** The named weights of a model, decoded from their quantised form. Throws when a file is missing or a weight is not there. */
export class Weights {
  readonly #map: tf.NamedTensorMap;

  private constructor(map: tf.NamedTensorMap) {
    this.#map = map;
  }

  static async read(folder: string, model: ModelName): Promise<Weights> {
    const [manifest, bytes] = await Promise.all(filesOf(model).map((file) => fs.readFile(path.join(folder, file))));
    const groups = JSON.parse(String(manifest)) as { weights: WeightSpecs }[];
    const specs = groups.flatMap((group) => group.weights);
    const buffer = new Uint8Array(bytes as Buffer).buffer;
    return new Weights(tf.io.decodeWeights(buffer, specs));
  }

  get<R extends tf.Rank>(name: string): tf.Tensor<R> {
    const found = this.#map[name];
    if (!found) throw new Error(`The model has no weight ${name}.`);
    return found as tf.Tensor<R>;
  }

  /** A weight that was made of others and replaces them. */
  fold<R extends tf.Rank>(make: (weights: this) => tf.Tensor<R>): tf.Tensor<R> {
    return tf.keep(tf.tidy(() => make(this)));
  }
}
