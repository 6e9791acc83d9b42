import { LANES, PANEL_CHANNELS, TAPS } from './kernel-forms.ts';
import { FLOAT_BYTES, type NetMemory, type Pictures } from './net-memory.ts';
import { filled, grown, neighbourhoods } from './pictures.ts';
import type { Weight } from './weights.ts';

type Activation = 'linear' | 'relu' | 'relu6';

const RANGES: Record<Activation, [least: number, most: number]> = {
  linear: [-Infinity, Infinity],
  relu: [0, Infinity],
  relu6: [0, 6],
};

/** How a filter is moved over a picture, and what follows it. */
export interface LayerForm {
  stride: 1 | 2;
  /** `same`: zeros around the picture, so that every pixel (of two, at stride 2) has an output. */
  pad: 'same' | 'valid';
  activation: Activation;
}

/** A convolution with everything that follows it (scale, bias, activation) done in the same pass over the pixels. */
export interface Convolution extends LayerForm {
  side: number;
  channels: { in: number; out: number };
  /** Where the weights are, as the kernel reads them. */
  at: number;
}

/** Input channels as the kernel reads them: of an RGB picture, one is unused. */
export const inputChannels = (channels: number): number => Math.ceil(channels / LANES) * LANES;
const panelsOf = (channels: number): number => Math.ceil(channels / PANEL_CHANNELS);

/** `filter`: rows, columns, input channels, output channels. */
export function convolution(memory: NetMemory, filter: Weight, bias: ArrayLike<number>, form: LayerForm): Convolution {
  const [side, , from, to] = filter.shape as [number, number, number, number];
  const padded = inputChannels(from);
  const panelFloats = PANEL_CHANNELS * (1 + side * side * padded);
  const packed = new Float32Array(panelsOf(to) * panelFloats);
  for (let out = 0; out < to; out++) {
    const panel = Math.floor(out / PANEL_CHANNELS) * panelFloats + (out % PANEL_CHANNELS);
    packed[panel] = bias[out] as number;
    for (let tap = 0; tap < side * side; tap++)
      for (let channel = 0; channel < from; channel++)
        packed[panel + PANEL_CHANNELS * (1 + tap * padded + channel)] = filter.values[
          (tap * from + channel) * to + out
        ] as number;
  }
  return { ...form, side, channels: { in: padded, out: to }, at: memory.put(packed) };
}

/** The depthwise 3 × 3 filter has as many channels as its input. `filter`: rows, columns, channels, 1. */
export function depthwiseConvolution(
  memory: NetMemory,
  filter: Weight,
  bias: ArrayLike<number>,
  form: LayerForm,
): Convolution {
  const [side, , channels] = filter.shape as [number, number, number];
  const packed = new Float32Array(channels * (1 + TAPS));
  for (let channel = 0; channel < channels; channel++) {
    const group = Math.floor(channel / LANES) * LANES * (1 + TAPS) + (channel % LANES);
    packed[group] = bias[channel] as number;
    for (let tap = 0; tap < TAPS; tap++)
      packed[group + LANES * (1 + tap)] = filter.values[tap * channels + channel] as number;
  }
  return { ...form, side, channels: { in: channels, out: channels }, at: memory.put(packed) };
}

/** Answers pictures whose `channels` are those of the layer, rounded up to whole panels. */
export function convolve(memory: NetMemory, input: Pictures, layer: Convolution): Pictures {
  const { side, stride, channels } = layer;
  const x = layer.pad === 'same' ? around(memory, input, layer) : input;
  const [height, width] = [x.height, x.width].map((length) => Math.floor((length - side) / stride) + 1) as [number, number]; // prettier-ignore
  const panels = panelsOf(channels.out);
  const output = memory.pictures(x.count, height, width, panels * PANEL_CHANNELS);
  const offsets = memory.putIntegers(offsetsOf(x, { height, width }, stride));
  const segmentBytes = side * x.channels * FLOAT_BYTES;
  memory.crew.convolve([
    x.at * FLOAT_BYTES,
    offsets * FLOAT_BYTES,
    x.count * height * width,
    side,
    segmentBytes,
    x.width * x.channels * FLOAT_BYTES - segmentBytes,
    layer.at * FLOAT_BYTES,
    panels,
    output.at * FLOAT_BYTES,
    output.channels * FLOAT_BYTES,
    ...RANGES[layer.activation],
  ]);
  return output;
}

export function depthwise(memory: NetMemory, input: Pictures, layer: Convolution): Pictures {
  const x = layer.pad === 'same' ? around(memory, input, layer) : input;
  return neighbourhoods(memory, x, { ...layer, kernel: memory.kernels.depthwise, range: RANGES[layer.activation] });
}

/** A depthwise filter followed by a pointwise one, which has the bias. */
export interface Separable {
  depthwise: Convolution;
  pointwise: Convolution;
}

export const separate = (memory: NetMemory, x: Pictures, layer: Separable): Pictures =>
  convolve(memory, depthwise(memory, x, layer.depthwise), layer.pointwise);

/** With the zeros that `same` asks for; where their number is odd, one more behind. */
function around(memory: NetMemory, x: Pictures, { side, stride }: Convolution): Pictures {
  const zeros = (length: number) => Math.max(0, (Math.ceil(length / stride) - 1) * stride + side - length);
  const [rows, columns] = [zeros(x.height), zeros(x.width)];
  return grown(memory, x, { rows, columns, top: Math.floor(rows / 2), left: Math.floor(columns / 2) });
}

/** Where the input of each output begins, in bytes. */
function offsetsOf(x: Pictures, { height, width }: { height: number; width: number }, stride: number): Int32Array {
  const offsets = new Int32Array(x.count * height * width);
  let at = 0;
  for (let nth = 0; nth < x.count; nth++)
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        offsets[at++] = ((nth * x.height + row * stride) * x.width + column * stride) * x.channels * FLOAT_BYTES;
  return offsets;
}

const MEAN_RGB = [122.782, 117.001, 104.298] as const;

/** Square RGB pictures of `side` pixels (0 to 255), as the landmark and descriptor nets were trained on them. */
export const centred = (memory: NetMemory, pictures: Uint8Array[], side: number): Pictures =>
  filled(memory, pictures.map((data) => ({ width: side, height: side, data })), (value, channel) => (value - (MEAN_RGB[channel] as number)) / 255); // prettier-ignore
