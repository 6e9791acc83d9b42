/** Outputs that are computed at a time: as many pixels as registers allow, of as many channels as two of them hold. */
export const PIXELS = 4;
export const PANEL_CHANNELS = 8;
/** Floats of a vector. */
export const LANES = 4;
export const VECTOR_BYTES = 4 * LANES;
export const PANEL_BYTES = 4 * PANEL_CHANNELS;
/** Depthwise filters and largest values are of 3 × 3 pixels. */
export const SIDE = 3;
export const TAPS = SIDE * SIDE;

/**
 * A convolution that several threads carry out, in integers from its beginning. `called` changes with every call; of the parts, `taken`
 * were taken and `done` carried out. From `common` on: input, segments, segmentBytes, segmentGap and outputStep, then least and most as
 * floats. From `parts` on, for each part: offsets, pixels (0: nothing to do), panels, panelCount and output.
 */
export const SHARED_CALL = { called: 0, taken: 1, done: 2, common: 3, parts: 16 } as const;
/** Always as many, so that what a thread took late is none of the next call. */
export const PARTS = 8;
export const PART_INTEGERS = 5;
