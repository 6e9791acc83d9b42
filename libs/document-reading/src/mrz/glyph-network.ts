/** A network with one hidden layer: pictures in, a score per glyph out. Small enough for plain typed arrays. */
export interface GlyphNetwork {
  inputs: number;
  hidden: number;
  glyphs: string;
  /** hidden × inputs, then biases. */
  first: Float32Array;
  firstBias: Float32Array;
  /** glyphs × hidden, then biases. */
  second: Float32Array;
  secondBias: Float32Array;
}

/** Natural logarithms of the probabilities of each glyph for the picture at `at` in `pictures`. */
export function logProbabilities(network: GlyphNetwork, pictures: Float32Array, at: number): Float32Array {
  const { inputs, hidden, first, firstBias, second, secondBias } = network;
  const classes = secondBias.length;
  const scores = Float32Array.from(secondBias);
  for (let unit = 0; unit < hidden; unit++) {
    const sum = (firstBias[unit] as number) + product(first, unit * inputs, pictures, at, inputs);
    if (sum <= 0) continue;
    for (let out = 0; out < classes; out++) {
      scores[out] = (scores[out] as number) + (second[out * hidden + unit] as number) * sum;
    }
  }
  let most = -Infinity;
  for (const score of scores) if (score > most) most = score;
  let total = 0;
  for (const score of scores) total += Math.exp(score - most);
  const shift = most + Math.log(total);
  for (let out = 0; out < classes; out++) scores[out] = (scores[out] as number) - shift;
  return scores;
}

/** Sum of products of `length` numbers (a multiple of four). Four sums at a time: each would have to wait for the one before it. */
function product(weights: Float32Array, from: number, values: Float32Array, at: number, length: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let index = 0; index < length; index += 4) {
    a += (weights[from + index] as number) * (values[at + index] as number);
    b += (weights[from + index + 1] as number) * (values[at + index + 1] as number);
    c += (weights[from + index + 2] as number) * (values[at + index + 2] as number);
    d += (weights[from + index + 3] as number) * (values[at + index + 3] as number);
  }
  return a + b + c + d;
}

/** Weights as committed: signed bytes in base64, each layer with its scale. */
export interface PackedNetwork {
  inputs: number;
  hidden: number;
  glyphs: string;
  layers: readonly [PackedLayer, PackedLayer];
}

interface PackedLayer {
  scale: number;
  weights: string;
  biases: readonly number[];
}

export function unpacked({ inputs, hidden, glyphs, layers }: PackedNetwork): GlyphNetwork {
  const weights = ({ scale, weights: text }: PackedLayer) => {
    const bytes = Buffer.from(text, 'base64');
    return Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), (each) => each * scale);
  };
  const [one, two] = layers;
  return {
    inputs,
    hidden,
    glyphs,
    first: weights(one),
    firstBias: Float32Array.from(one.biases),
    second: weights(two),
    secondBias: Float32Array.from(two.biases),
  };
}

export function packed({ inputs, hidden, glyphs, first, firstBias, second, secondBias }: GlyphNetwork): PackedNetwork {
  const layer = (weights: Float32Array, biases: Float32Array): PackedLayer => {
    const scale = weights.reduce((most, each) => Math.max(most, Math.abs(each)), 0) / 127;
    const bytes = Int8Array.from(weights, (each) => Math.round(each / scale));
    return {
      scale,
      weights: Buffer.from(bytes.buffer).toString('base64'),
      biases: [...biases].map((each) => Math.round(each * 1e4) / 1e4),
    };
  };
  return { inputs, hidden, glyphs, layers: [layer(first, firstBias), layer(second, secondBias)] };
}
