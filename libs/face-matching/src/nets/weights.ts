import fs from 'node:fs/promises';
import path from 'node:path';
import { filesOf } from '../engine-files.ts';
import type { ModelName } from '../engine-files.ts';

/** An array of numbers: its lengths, the innermost last. */
export interface Weight {
  shape: readonly number[];
  values: Float32Array;
}

interface WeightSpec {
  name: string;
  shape: number[];
  dtype: 'float32' | 'int32';
  quantization?: { dtype: 'uint8'; scale: number; min: number };
}

/** The named weights of a model, decoded from their quantised form. Throws when a file is missing or a weight is not there. */
export class Weights {
  private constructor(private readonly map: ReadonlyMap<string, Weight>) {}

  static async read(folder: string, model: ModelName): Promise<Weights> {
    const [manifest, bytes] = await Promise.all(filesOf(model).map((file) => fs.readFile(path.join(folder, file))));
    const groups = JSON.parse(String(manifest)) as { weights: WeightSpec[] }[];
    let at = 0;
    const map = new Map<string, Weight>();
    for (const { name, shape, dtype, quantization } of groups.flatMap((group) => group.weights)) {
      const length = shape.reduce((product, each) => product * each, 1);
      const size = length * (quantization ? 1 : 4);
      const part = (bytes as Buffer).subarray(at, (at += size));
      if (dtype === 'float32') map.set(name, { shape, values: decoded(part, quantization) });
    }
    return new Weights(map);
  }

  get(name: string): Weight {
    const found = this.map.get(name);
    if (!found) throw new Error(`The model has no weight ${name}.`);
    return found;
  }

  values(name: string): Float32Array {
    return this.get(name).values;
  }
}

function decoded(bytes: Buffer, quantization: WeightSpec['quantization']): Float32Array {
  if (!quantization) return new Float32Array(new Uint8Array(bytes).buffer);
  const { scale, min } = quantization;
  const values = new Float32Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) values[at] = (bytes[at] as number) * scale + min;
  return values;
}
