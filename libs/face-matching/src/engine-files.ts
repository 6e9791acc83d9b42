/** Names of the nets, as in the package they come from (@vladmandic/face-api). */
export const MODELS = {
  detector: 'ssd_mobilenetv1_model',
  landmarks: 'face_landmark_68_model',
  descriptor: 'face_recognition_model',
} as const;
export type ModelName = (typeof MODELS)[keyof typeof MODELS];

/** What a model consists of: how its weights are laid out, and the weights. */
export const filesOf = (model: ModelName) => [`${model}-weights_manifest.json`, `${model}.bin`];

/** Files that `modelPath` has to hold: of node_modules/@vladmandic/face-api/model. 12 MB. */
export const MODEL_FILES: readonly string[] = Object.values(MODELS).flatMap(filesOf);

/** Files that `wasmPath` has to hold: of node_modules/@tensorflow/tfjs-backend-wasm/dist. Which is used depends on the processor. */
export const WASM_FILES: readonly string[] = ['tfjs-backend-wasm-simd.wasm', 'tfjs-backend-wasm.wasm'];
