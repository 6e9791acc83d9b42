import type { GlyphNetwork } from '../../libs/document-reading/src/mrz/glyph-network.ts';
import { seeded } from '../../libs/document-reading/src/rendered/photograph.fixture.ts';

export interface Examples {
  /** `inputs` numbers each. */
  pictures: Float32Array;
  labels: Uint8Array;
}

/** Trains by mini-batches with Adam, cross-entropy, learning rate falling to a twentieth. Seeded: the same every time. */
export function trained(
  { pictures, labels }: Examples,
  { inputs, hidden, glyphs }: Pick<GlyphNetwork, 'inputs' | 'hidden' | 'glyphs'>,
  epochs: number,
): GlyphNetwork {
  const classes = [...glyphs].length;
  const random = seeded(20261121);
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const network: GlyphNetwork = {
    inputs,
    hidden,
    glyphs,
    first: Float32Array.from({ length: hidden * inputs }, () => gaussian() * Math.sqrt(2 / inputs)),
    firstBias: new Float32Array(hidden),
    second: Float32Array.from({ length: classes * hidden }, () => gaussian() * Math.sqrt(1 / hidden)),
    secondBias: new Float32Array(classes),
  };
  const parameters = [network.first, network.firstBias, network.second, network.secondBias];
  const gradients = parameters.map(({ length }) => new Float32Array(length));
  const moments = parameters.map(({ length }) => [new Float32Array(length), new Float32Array(length)] as const);
  const order = Uint32Array.from(labels, (_, at) => at);
  const batch = 64;
  const steps = Math.ceil(labels.length / batch) * epochs;
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] as number, order[at] as number];
    }
    let [loss, right] = [0, 0];
    for (let start = 0; start < order.length; start += batch) {
      const end = Math.min(order.length, start + batch);
      for (let at = start; at < end; at++) {
        const example = order[at] as number;
        const result = learn(network, gradients as [Float32Array, Float32Array, Float32Array, Float32Array], pictures, example * inputs, labels[example] as number); // prettier-ignore
        loss += result.loss;
        right += result.right ? 1 : 0;
      }
      step += 1;
      const rate = 0.002 * (0.05 + 0.95 * 0.5 * (1 + Math.cos((Math.PI * step) / steps)));
      parameters.forEach((values, at) => adam(values, gradients[at] as Float32Array, moments[at] as readonly [Float32Array, Float32Array], rate, step, end - start)); // prettier-ignore
    }
    console.log(`epoch ${epoch + 1}: loss ${(loss / order.length).toFixed(5)}, ${((100 * right) / order.length).toFixed(3)} % right`); // prettier-ignore
  }
  return network;
}

/** Adds one example's gradients. */
function learn(
  { inputs, hidden, first, firstBias, second, secondBias }: GlyphNetwork,
  [g1, gb1, g2, gb2]: [Float32Array, Float32Array, Float32Array, Float32Array],
  pictures: Float32Array,
  at: number,
  label: number,
): { loss: number; right: boolean } {
  const classes = secondBias.length;
  const activity = new Float32Array(hidden);
  const scores = Float32Array.from(secondBias);
  for (let unit = 0; unit < hidden; unit++) {
    let sum = firstBias[unit] as number;
    for (let input = 0; input < inputs; input++) sum += (first[unit * inputs + input] as number) * (pictures[at + input] as number); // prettier-ignore
    if (sum <= 0) continue;
    activity[unit] = sum;
    for (let out = 0; out < classes; out++) scores[out] = (scores[out] as number) + (second[out * hidden + unit] as number) * sum; // prettier-ignore
  }
  const most = Math.max(...scores);
  const total = scores.reduce((sum, each) => sum + Math.exp(each - most), 0);
  const errors = scores.map((each, out) => Math.exp(each - most) / total - (out === label ? 1 : 0));
  for (let out = 0; out < classes; out++) gb2[out] = (gb2[out] as number) + (errors[out] as number);
  for (let unit = 0; unit < hidden; unit++) {
    const active = activity[unit] as number;
    if (active === 0) continue;
    let back = 0;
    for (let out = 0; out < classes; out++) {
      const place = out * hidden + unit;
      g2[place] = (g2[place] as number) + (errors[out] as number) * active;
      back += (errors[out] as number) * (second[place] as number);
    }
    gb1[unit] = (gb1[unit] as number) + back;
    const row = unit * inputs;
    for (let input = 0; input < inputs; input++) g1[row + input] = (g1[row + input] as number) + back * (pictures[at + input] as number); // prettier-ignore
  }
  return { loss: -(scores[label] as number) + most + Math.log(total), right: scores[label] === most };
}

function adam(
  values: Float32Array,
  gradient: Float32Array,
  [mean, square]: readonly [Float32Array, Float32Array],
  rate: number,
  step: number,
  size: number,
): void {
  const [fix1, fix2] = [1 - 0.9 ** step, 1 - 0.999 ** step];
  for (let at = 0; at < values.length; at++) {
    const slope = (gradient[at] as number) / size + 1e-5 * (values[at] as number);
    gradient[at] = 0;
    const m = (mean[at] = 0.9 * (mean[at] as number) + 0.1 * slope);
    const s = (square[at] = 0.999 * (square[at] as number) + 0.001 * slope * slope);
    values[at] = (values[at] as number) - (rate * m) / fix1 / (Math.sqrt(s / fix2) + 1e-8);
  }
}
