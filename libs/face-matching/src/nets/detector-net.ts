import * as tf from '@tensorflow/tfjs-core';
import { MODELS } from '../engine-files.ts';
import type { RgbImage } from '../image/rgb-image.ts';
import { convolve, depthwise } from './layers.ts';
import type { Convolution } from './layers.ts';
import { Weights } from './weights.ts';

/** Side of the picture that the anchors were made for. */
const ANCHOR_SIDE_PX = 512;
/** Grids of the six feature maps at that side, with the anchors of each cell. */
const ANCHOR_GRIDS = [{ side: 32, perCell: 3 }, ...[16, 8, 4, 2, 1].map((side) => ({ side, perCell: 6 }))];

/** A face in a picture: its edges in pixels, and how sure the net is (0 to 1). */
export interface Detection {
  left: number;
  top: number;
  right: number;
  bottom: number;
  confidence: number;
}

/** What both sides are a multiple of: cells of the feature maps that faces of the searched sizes are found in lie where anchors were made for them. */
export const DETECTOR_STEP_PX = 64;

const HALVING = new Set([2, 4, 6, 12]);
const OVERLAP_LIMIT = 0.5;
const BATCH_NORM_EPSILON = 0.0010000000474974513;

/** Single-shot detector on MobileNet v1. It sees the same in pictures of other sides, in time that goes with their area. */
export class DetectorNet {
  readonly #first: Convolution;
  readonly #pairs: { depth: Convolution; point: Convolution }[];
  readonly #extra: Convolution[];
  readonly #predictors: { boxes: Convolution; classes: Convolution }[];
  readonly #anchors: Float32Array;

  private constructor(weights: Weights) {
    this.#first = pointwise(weights, 'MobilenetV1/Conv2d_0_pointwise', 2);
    this.#pairs = Array.from({ length: 13 }, (_, at) => ({
      depth: normalised(weights, `MobilenetV1/Conv2d_${at + 1}_depthwise`, HALVING.has(at + 1) ? 2 : 1),
      point: pointwise(weights, `MobilenetV1/Conv2d_${at + 1}_pointwise`, 1),
    }));
    this.#extra = Array.from({ length: 8 }, (_, at) =>
      pointwise(weights, `Prediction/Conv2d_${at}_pointwise`, at % 2 === 1 ? 2 : 1),
    );
    this.#predictors = Array.from({ length: 6 }, (_, at) => ({
      boxes: plain(weights, `Prediction/BoxPredictor_${at}/BoxEncodingPredictor`),
      classes: plain(weights, `Prediction/BoxPredictor_${at}/ClassPredictor`),
    }));
    this.#anchors = weights.get('Output/extra_dim').dataSync<'float32'>();
  }

  static async read(folder: string): Promise<DetectorNet> {
    return new DetectorNet(await Weights.read(folder, MODELS.detector));
  }

  /** Faces from `minConfidence` on, the surest first, overlapping ones once. Sides of `picture`: multiples of DETECTOR_STEP_PX, at most 512. */
  detect(picture: RgbImage, minConfidence: number): Detection[] {
    let grids: Grid[] = [];
    const [boxes, classes] = tf.tidy(() => {
      const maps = this.#maps(centredAtZero(picture));
      grids = maps.map(({ shape: [, rows, columns] }) => ({ rows, columns }));
      const predicted = this.#predictors.map(({ boxes, classes }, at) => ({
        boxes: tf.reshape(convolve(maps[at] as tf.Tensor4D, boxes), [-1, 4]),
        classes: tf.reshape(convolve(maps[at] as tf.Tensor4D, classes), [-1, 3]),
      }));
      return [
        tf.concat(predicted.map((each) => each.boxes)).dataSync<'float32'>(),
        tf.concat(predicted.map((each) => each.classes)).dataSync<'float32'>(),
      ] as const;
    });
    const found: Detection[] = [];
    const anchors = anchorsOf(grids);
    for (let at = 0; at < anchors.length; at++) {
      const confidence = 1 / (1 + Math.exp(-(classes[at * 3 + 1] as number)));
      if (confidence >= minConfidence) found.push({ ...this.#box(boxes, at, anchors[at] as number), confidence });
    }
    return withoutOverlaps(found);
  }

  /** The six feature maps that boxes are predicted from, the finest first. */
  #maps(picture: tf.Tensor4D): tf.Tensor4D[] {
    let x = convolve(picture, this.#first);
    let fine = x;
    this.#pairs.forEach(({ depth, point }, at) => {
      x = convolve(depthwise(x, depth), point);
      if (at === 10) fine = x;
    });
    const maps = [fine, x];
    this.#extra.forEach((layer, at) => {
      x = convolve(x, layer);
      if (at % 2 === 1) maps.push(x);
    });
    return maps;
  }

  /** A predicted box is an offset from its anchor and a logarithm of its size, both scaled. */
  #box(encoded: Float32Array, at: number, anchor: number): Omit<Detection, 'confidence'> {
    const edges = this.#anchors.subarray(anchor * 4, anchor * 4 + 4).map((edge) => edge * ANCHOR_SIDE_PX);
    const [top, left, bottom, right] = edges as unknown as Quad;
    const [dy, dx, h, w] = encoded.subarray(at * 4, at * 4 + 4) as unknown as Quad;
    const [height, width] = [bottom - top, right - left];
    const y = top + height / 2 + (dy / 10) * height;
    const x = left + width / 2 + (dx / 10) * width;
    const halfHeight = (Math.exp(h / 5) * height) / 2;
    const halfWidth = (Math.exp(w / 5) * width) / 2;
    return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
  }
}

type Quad = [number, number, number, number];

/** Cells of a feature map. */
interface Grid {
  rows: number;
  columns: number;
}

/** A smaller picture is the upper left part of one of ANCHOR_SIDE_PX: which anchors its cells have, in the order of the cells. */
function anchorsOf(grids: Grid[]): number[] {
  const anchors: number[] = [];
  let first = 0;
  ANCHOR_GRIDS.forEach(({ side, perCell }, nth) => {
    const { rows, columns } = grids[nth] as Grid;
    for (let y = 0; y < rows; y++) {
      const row = first + y * side * perCell;
      for (let at = 0; at < columns * perCell; at++) anchors.push(row + at);
    }
    first += side * side * perCell;
  });
  return anchors;
}

function centredAtZero({ width, height, data }: RgbImage): tf.Tensor4D {
  const values = new Float32Array(data.length);
  for (let at = 0; at < data.length; at++) values[at] = (data[at] as number) / 127.5 - 1;
  return tf.tensor4d(values, [1, height, width, 3]);
}

function pointwise(weights: Weights, name: string, stride: 1 | 2): Convolution {
  const [filter, bias] = [weights.get<tf.Rank.R4>(`${name}/weights`), weights.get<tf.Rank.R1>(`${name}/convolution_bn_offset`)]; // prettier-ignore
  return { filter, bias, stride, pad: 'same', activation: 'relu6' };
}

function plain(weights: Weights, name: string): Convolution {
  const [filter, bias] = [weights.get<tf.Rank.R4>(`${name}/weights`), weights.get<tf.Rank.R1>(`${name}/biases`)];
  return { filter, bias, stride: 1, pad: 'same', activation: 'linear' };
}

/** A depthwise filter with its batch normalisation, which is the same as other weights and a bias. */
function normalised(weights: Weights, name: string, stride: 1 | 2): Convolution {
  const part = (what: string) => weights.get<tf.Rank.R1>(`${name}/BatchNorm/${what}`);
  const scale = weights.fold(() => tf.div<tf.Tensor1D>(part('gamma'), tf.sqrt(tf.add(part('moving_variance'), BATCH_NORM_EPSILON)))); // prettier-ignore
  return {
    filter: weights.fold<tf.Rank.R4>((all) => {
      const filter = all.get<tf.Rank.R4>(`${name}/depthwise_weights`);
      return tf.mul(filter, tf.reshape(scale, [1, 1, filter.shape[2], 1]));
    }),
    bias: weights.fold<tf.Rank.R1>(() => tf.sub(part('beta'), tf.mul(part('moving_mean'), scale))),
    stride,
    pad: 'same',
    activation: 'relu6',
  };
}

function withoutOverlaps(found: Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const each of found.toSorted((a, b) => b.confidence - a.confidence)) {
    if (kept.every((other) => overlap(each, other) <= OVERLAP_LIMIT)) kept.push(each);
  }
  return kept;
}

/** Intersection over union. */
function overlap(a: Detection, b: Detection): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const area = (each: Detection) => (each.right - each.left) * (each.bottom - each.top);
  return (width * height) / (area(a) + area(b) - width * height);
}
