import * as tf from '@tensorflow/tfjs-core';
import type { Weights } from './weights.ts';

type Activation = 'linear' | 'relu' | 'relu6';

/** A convolution with everything that follows it (scale, bias, activation) done in the same pass over the pixels. */
export interface Convolution {
  filter: tf.Tensor4D;
  bias: tf.Tensor1D;
  stride: 1 | 2;
  pad: 'same' | 'valid';
  activation: Activation;
}

export function convolve(x: tf.Tensor4D, layer: Convolution): tf.Tensor4D {
  const { filter, bias, stride: strides, pad, activation } = layer;
  return tf.fused.conv2d({ x, filter, strides, pad, bias, activation });
}

export function depthwise(x: tf.Tensor4D, layer: Convolution): tf.Tensor4D {
  const { filter, bias, stride: strides, pad, activation } = layer;
  return tf.fused.depthwiseConv2d({ x, filter, strides, pad, bias, activation });
}

/** A depthwise filter followed by a pointwise one, which has the bias. */
export interface Separable {
  depthwise: Convolution;
  pointwise: Convolution;
}

export const separate = (x: tf.Tensor4D, layer: Separable): tf.Tensor4D =>
  convolve(depthwise(x, layer.depthwise), layer.pointwise);

export function separable(weights: Weights, name: string, stride: 1 | 2, activation: Activation): Separable {
  const filter = weights.get<tf.Rank.R4>(`${name}/depthwise_filter`);
  const none = weights.fold<tf.Rank.R1>(() => tf.zeros([filter.shape[2]]));
  return {
    depthwise: { filter, bias: none, stride, pad: 'same', activation: 'linear' },
    pointwise: {
      filter: weights.get(`${name}/pointwise_filter`),
      bias: weights.get(`${name}/bias`),
      stride: 1,
      pad: 'same',
      activation,
    },
  };
}

const MEAN_RGB = [122.782, 117.001, 104.298];

/** Square RGB pictures of `side` pixels (0 to 255), as the landmark and descriptor nets were trained on them. */
export function centred(pictures: Uint8Array[], side: number): tf.Tensor4D {
  const batch = new Float32Array(pictures.length * side * side * 3);
  pictures.forEach((picture, nth) => {
    const offset = nth * picture.length;
    for (let at = 0; at < picture.length; at++) {
      batch[offset + at] = ((picture[at] as number) - (MEAN_RGB[at % 3] as number)) / 255;
    }
  });
  return tf.tensor4d(batch, [pictures.length, side, side, 3]);
}
