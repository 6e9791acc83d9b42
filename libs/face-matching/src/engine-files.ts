/** Names of the nets, as in the package they come from (@vladmandic/face-api). */
export const MODELS = {
  detector: 'ssd_mobilenetv1_model',
  landmarks: 'face_landmark_68_model',
  descriptor: 'face_recognition_model',
} as const;
export type ModelName = (typeof MODELS)[keyof typeof MODELS];

/** What a model consists of: how its weights are laid out, and the weights. */
export const filesOf = (model: ModelName) => [`${model}-weights_manifest.json`, `${model}.bin`];
