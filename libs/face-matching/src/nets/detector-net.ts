import { MODELS } from '../engine-files.ts';
import type { RgbImage } from '../image/rgb-image.ts';
import { convolution, convolve, depthwise, depthwiseConvolution } from './layers.ts';
import type { Convolution } from './layers.ts';
import type { NetMemory, Pictures } from './net-memory.ts';
import { filled } from './pictures.ts';
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

interface Predictor {
  boxes: Convolution;
  classes: Convolution;
}

/** Single-shot detector on MobileNet v1. It sees the same in pictures of other sides, in time that goes with their area. */
export class DetectorNet {
  readonly #memory: NetMemory;
  readonly #first: Convolution;
  readonly #pairs: { depth: Convolution; point: Convolution }[];
  readonly #extra: Convolution[];
  readonly #predictors: Predictor[];
  readonly #anchors: Float32Array;

  private constructor(memory: NetMemory, weights: Weights) {
    this.#memory = memory;
    this.#first = pointwise(memory, weights, 'MobilenetV1/Conv2d_0_pointwise', 2);
    this.#pairs = Array.from({ length: 13 }, (_, at) => ({
      depth: normalised(memory, weights, `MobilenetV1/Conv2d_${at + 1}_depthwise`, HALVING.has(at + 1) ? 2 : 1),
      point: pointwise(memory, weights, `MobilenetV1/Conv2d_${at + 1}_pointwise`, 1),
    }));
    this.#extra = Array.from({ length: 8 }, (_, at) =>
      pointwise(memory, weights, `Prediction/Conv2d_${at}_pointwise`, at % 2 === 1 ? 2 : 1),
    );
    this.#predictors = Array.from({ length: 6 }, (_, at) => ({
      boxes: plain(memory, weights, `Prediction/BoxPredictor_${at}/BoxEncodingPredictor`),
      classes: plain(memory, weights, `Prediction/BoxPredictor_${at}/ClassPredictor`),
    }));
    this.#anchors = weights.values('Output/extra_dim');
  }

  static async read(memory: NetMemory, folder: string): Promise<DetectorNet> {
    return new DetectorNet(memory, await Weights.read(folder, MODELS.detector));
  }

  /** Faces from `minConfidence` on, the surest first, overlapping ones once. Sides of `picture`: multiples of DETECTOR_STEP_PX, at most 512. */
  detect(picture: RgbImage, minConfidence: number): Detection[] {
    const found = this.#memory.run(() =>
      this.#maps(picture).flatMap((map, nth) => this.#found(map, nth, minConfidence)),
    );
    return withoutOverlaps(found);
  }

  /** The faces that one feature map shows. */
  #found(map: Pictures, nth: number, minConfidence: number): Detection[] {
    const memory = this.#memory;
    const { boxes, classes } = this.#predictors[nth] as Predictor;
    const [box, kind] = [convolve(memory, map, boxes), convolve(memory, map, classes)];
    const { all } = memory;
    const found: Detection[] = [];
    const { perCell } = ANCHOR_GRIDS[nth] as (typeof ANCHOR_GRIDS)[number];
    for (let cell = 0; cell < map.height * map.width; cell++)
      for (let at = 0; at < perCell; at++) {
        const confidence = 1 / (1 + Math.exp(-(all[kind.at + cell * kind.channels + at * 3 + 1] as number)));
        if (confidence < minConfidence) continue;
        const encoded = all.subarray(box.at + cell * box.channels + at * 4).subarray(0, 4) as unknown as Quad;
        const anchor = anchorOf(nth, { row: Math.floor(cell / map.width), column: cell % map.width }) + at;
        found.push({ ...this.#box(encoded, anchor), confidence });
      }
    return found;
  }

  /** The six feature maps that boxes are predicted from, the finest first. */
  #maps(picture: RgbImage): Pictures[] {
    const memory = this.#memory;
    let x = convolve(memory, filled(memory, [picture], (value) => value / 127.5 - 1), this.#first); // prettier-ignore
    let fine = x;
    this.#pairs.forEach(({ depth, point }, at) => {
      x = convolve(memory, depthwise(memory, x, depth), point);
      if (at === 10) fine = x;
    });
    const maps = [fine, x];
    this.#extra.forEach((layer, at) => {
      x = convolve(memory, x, layer);
      if (at % 2 === 1) maps.push(x);
    });
    return maps;
  }

  /** A predicted box is an offset from its anchor and a logarithm of its size, both scaled. */
  #box([dy, dx, h, w]: Quad, anchor: number): Omit<Detection, 'confidence'> {
    const edges = this.#anchors.subarray(anchor * 4, anchor * 4 + 4).map((edge) => edge * ANCHOR_SIDE_PX);
    const [top, left, bottom, right] = edges as unknown as Quad;
    const [height, width] = [bottom - top, right - left];
    const y = top + height / 2 + (dy / 10) * height;
    const x = left + width / 2 + (dx / 10) * width;
    const halfHeight = (Math.exp(h / 5) * height) / 2;
    const halfWidth = (Math.exp(w / 5) * width) / 2;
    return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
  }
}

type Quad = [number, number, number, number];

/** A smaller picture is the upper left part of one of ANCHOR_SIDE_PX: the first of the anchors that a cell of a feature map has. */
function anchorOf(map: number, { row, column }: { row: number; column: number }): number {
  const first = ANCHOR_GRIDS.slice(0, map).reduce((sum, { side, perCell }) => sum + side * side * perCell, 0);
  const { side, perCell } = ANCHOR_GRIDS[map] as (typeof ANCHOR_GRIDS)[number];
  return first + (row * side + column) * perCell;
}

function pointwise(memory: NetMemory, weights: Weights, name: string, stride: 1 | 2): Convolution {
  const bias = weights.values(`${name}/convolution_bn_offset`);
  return convolution(memory, weights.get(`${name}/weights`), bias, { stride, pad: 'same', activation: 'relu6' });
}

function plain(memory: NetMemory, weights: Weights, name: string): Convolution {
  const form = { stride: 1, pad: 'same', activation: 'linear' } as const;
  return convolution(memory, weights.get(`${name}/weights`), weights.values(`${name}/biases`), form);
}

/** A depthwise filter with its batch normalisation, which is the same as other weights and a bias. */
function normalised(memory: NetMemory, weights: Weights, name: string, stride: 1 | 2): Convolution {
  const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map((part) => weights.values(`${name}/BatchNorm/${part}`)) as [Float32Array, Float32Array, Float32Array, Float32Array]; // prettier-ignore
  const scale = gamma.map((value, at) => value / Math.sqrt((variance[at] as number) + BATCH_NORM_EPSILON));
  const { shape, values } = weights.get(`${name}/depthwise_weights`);
  const filter = { shape, values: values.map((value, at) => value * (scale[at % scale.length] as number)) };
  const bias = beta.map((value, at) => value - (mean[at] as number) * (scale[at] as number));
  return depthwiseConvolution(memory, filter, bias, { stride, pad: 'same', activation: 'relu6' });
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
