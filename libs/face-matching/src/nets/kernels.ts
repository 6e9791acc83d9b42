import {
  add,
  call,
  type Code,
  constant,
  copy,
  during,
  type FunctionSource,
  get,
  isEqual,
  isGreater,
  larger,
  load,
  loadFloat,
  loadInteger,
  loadSplat,
  moduleOf,
  multiply,
  multiplyAdd,
  multiplyThenAdd,
  notify,
  repeat,
  select,
  set,
  smaller,
  splat,
  store,
  subtract,
  sum,
  takeNumber,
  when,
} from './assembler.ts';

/** Outputs that are computed at a time: as many pixels as registers allow, of as many channels as two of them hold. */
export const PIXELS = 4;
export const PANEL_CHANNELS = 8;
/** Floats of a vector. */
export const LANES = 4;
const VECTOR_BYTES = 4 * LANES;
export const PANEL_BYTES = 4 * PANEL_CHANNELS;
/** Depthwise filters and largest values are of 3 × 3 pixels. */
const SIDE = 3;
export const TAPS = SIDE * SIDE;

/** The inner loops of the nets. Addresses and distances are in bytes. */
export interface Kernels {
  /**
   * Convolution. For pixel `p` of `pixels`, the input begins at `input + offsets[p]`: `segments` pieces of `segmentBytes` (of VECTOR_BYTES
   * each), `segmentGap` apart. `panels`: the weights of PANEL_CHANNELS output channels after the other: their biases, then for each input
   * value theirs. The outputs of a pixel are `outputStep` from those of the one before, no value below `least` or above `most`.
   */
  convolve(
    input: number,
    offsets: number,
    pixels: number,
    segments: number,
    segmentBytes: number,
    segmentGap: number,
    panels: number,
    panelCount: number,
    output: number,
    outputStep: number,
    least: number,
    most: number,
  ): void;
  /**
   * Depthwise 3 × 3 convolution of one row of pixels, whose inputs are `step` apart; `rowBytes` from one row of the input to the next.
   * `weights`: for each LANES channels their biases, then their TAPS weights.
   */
  depthwise: OverNeighbours;
  /** The largest of 3 × 3 values, without weights. */
  largest: OverNeighbours;
  /** `output` = `one` + `other`, no value below `least`. `otherStep` 0: the first vector of the other is added everywhere. */
  sum(one: number, other: number, otherStep: number, output: number, bytes: number, least: number): void;
  /** Carries out parts of a shared convolution, while any is left that no thread has taken. `shared`: where SHARED_CALL is. */
  takeParts(shared: number): void;
  /** Copies pieces that stand one behind the other to places that are `toStep` apart. */
  spread(from: number, pieceBytes: number, pieces: number, to: number, toStep: number): void;
}

/**
 * A convolution that several threads carry out, in integers from its beginning. `called` changes with every call; of the parts, `taken`
 * were taken and `done` carried out. From `common` on: input, segments, segmentBytes, segmentGap and outputStep, then least and most as
 * floats. From `parts` on, for each part: offsets, pixels (0: nothing to do), panels, panelCount and output.
 */
export const SHARED_CALL = { called: 0, taken: 1, done: 2, common: 3, parts: 16 } as const;
/** Always as many, so that what a thread took late is none of the next call. */
export const PARTS = 8;
export const PART_INTEGERS = 5;

type OverNeighbours = (
  input: number,
  rowBytes: number,
  step: number,
  pixels: number,
  channelBytes: number,
  weights: number,
  output: number,
  least: number,
  most: number,
) => void;

type MultiplyAdd = (a: Code, b: Code, c: Code) => Code;

/** The kernels for a shared memory of at most so many pages: with relaxed SIMD where the engine has it, which does the same in less time. */
export function compileKernels(mostPages: number): Promise<WebAssembly.Module> {
  const withRelaxed = kernelsWith(multiplyAdd, mostPages);
  return WebAssembly.compile(WebAssembly.validate(withRelaxed) ? withRelaxed : kernelsWith(multiplyThenAdd, mostPages));
}

export function kernelsOf(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  return new WebAssembly.Instance(module, { host: { memory } }).exports as unknown as Kernels;
}

const kernelsWith = (fma: MultiplyAdd, mostPages: number) =>
  moduleOf([convolution(fma), depthwise(fma), LARGEST, SUM, SPREAD, TAKE_PARTS], mostPages);

const indices = (count: number) => Array.from({ length: count }, (_, nth) => nth);
const increase = (local: number, by: Code): Code => set(local, add(get(local), by));
const decrease = (local: number, by: Code): Code => set(local, subtract(get(local), by));
const clamped = (local: number, least: number, most: number): Code =>
  smaller(larger(get(local), splat(get(least))), splat(get(most)));

function convolution(fma: MultiplyAdd): FunctionSource {
  const [input, offsets, pixels, segments, segmentBytes, segmentGap, panels, panelCount, output, outputStep, least, most] = indices(12) as [number, number, number, number, number, number, number, number, number, number, number, number]; // prettier-ignore
  return {
    name: 'convolve',
    params: [...Array<'i32'>(10).fill('i32'), 'f32', 'f32'],
    body(locals) {
      const rows = indices(PIXELS).map(() => ({ from: locals.i32(), low: locals.v128(), high: locals.v128() }));
      const [weights, offset, to, left, segmentsLeft, bytesLeft] = indices(6).map(() => locals.i32()) as [number, number, number, number, number, number]; // prettier-ignore
      const [low, high, value] = [locals.v128(), locals.v128(), locals.v128()];
      /** Of fewer pixels than PIXELS, the last one is computed again. */
      const orLast = (nth: number, own: Code, last: number | undefined): Code =>
        last === undefined ? own : select(isGreater(get(left), constant(nth)), own, get(last));
      const multiplied = indices(LANES).map((lane): Code => [
        set(low, load(get(weights), lane * PANEL_BYTES)),
        set(high, load(get(weights), lane * PANEL_BYTES + VECTOR_BYTES)),
        rows.map((row) => [
          set(value, loadSplat(get(row.from), 4 * lane)),
          set(row.low, fma(get(value), get(low), get(row.low))),
          set(row.high, fma(get(value), get(high), get(row.high))),
        ]),
      ]);
      const segment: Code = [
        set(bytesLeft, get(segmentBytes)),
        repeat(
          [
            multiplied,
            rows.map(({ from }) => increase(from, constant(VECTOR_BYTES))),
            increase(weights, constant(LANES * PANEL_BYTES)),
            decrease(bytesLeft, constant(VECTOR_BYTES)),
          ],
          get(bytesLeft),
        ),
        rows.map(({ from }) => increase(from, get(segmentGap))),
        decrease(segmentsLeft, constant(1)),
      ];
      const block: Code = [
        set(weights, get(panels)),
        rows.map((row, nth) => [
          set(row.from, orLast(nth, add(get(input), loadInteger(get(offset), 4 * nth)), rows[nth - 1]?.from)),
          set(row.low, load(get(weights))),
          set(row.high, load(get(weights), VECTOR_BYTES)),
        ]),
        increase(weights, constant(PANEL_BYTES)),
        set(segmentsLeft, get(segments)),
        repeat(segment, get(segmentsLeft)),
        rows.map((row, nth) => [
          nth === 0 ? [] : set(to, orLast(nth, add(get(to), get(outputStep)), to)),
          store(get(to), clamped(row.low, least, most)),
          store(get(to), clamped(row.high, least, most), VECTOR_BYTES),
        ]),
        increase(to, get(outputStep)),
        increase(offset, constant(4 * PIXELS)),
        decrease(left, constant(PIXELS)),
      ];
      // A panel stays in the processor's nearest cache while the pixels go by.
      const panel: Code = [
        set(offset, get(offsets)),
        set(to, get(output)),
        set(left, get(pixels)),
        repeat(block, isGreater(get(left), constant(0))),
        set(panels, get(weights)),
        increase(output, constant(PANEL_BYTES)),
        decrease(panelCount, constant(1)),
      ];
      return repeat(panel, get(panelCount));
    },
  };
}

/** For each pixel of a row, a loop over its channels. `weightBytes`: of LANES channels. */
function overNeighbours(
  name: string,
  { weightBytes, result }: { weightBytes: number; result: (taps: Code[], weights: Code) => Code },
): FunctionSource {
  const [input, rowBytes, step, pixels, channelBytes, weights, output, least, most] = indices(9) as [number, number, number, number, number, number, number, number, number]; // prettier-ignore
  return {
    name,
    params: [...Array<'i32'>(7).fill('i32'), 'f32', 'f32'],
    body(locals) {
      const taps = indices(TAPS).map(() => locals.i32());
      const [weight, left, value] = [locals.i32(), locals.i32(), locals.v128()];
      const begin = taps.map((tap, nth) => {
        if (nth === 0) return set(tap, get(input));
        const [before, by] = nth % SIDE === 0 ? [taps[nth - SIDE], rowBytes] : [taps[nth - 1], channelBytes];
        return set(tap, add(get(before as number), get(by)));
      });
      const channels: Code = [
        set(value, result(taps.map((tap) => load(get(tap))), get(weight))), // prettier-ignore
        store(get(output), clamped(value, least, most)),
        increase(output, constant(VECTOR_BYTES)),
        taps.map((tap) => increase(tap, constant(VECTOR_BYTES))),
        increase(weight, constant(weightBytes)),
        decrease(left, constant(VECTOR_BYTES)),
      ];
      const pixel: Code = [
        begin,
        set(weight, get(weights)),
        set(left, get(channelBytes)),
        repeat(channels, get(left)),
        increase(input, get(step)),
        decrease(pixels, constant(1)),
      ];
      return repeat(pixel, get(pixels));
    },
  };
}

const depthwise = (fma: MultiplyAdd): FunctionSource =>
  overNeighbours('depthwise', {
    weightBytes: VECTOR_BYTES * (1 + TAPS),
    result: (taps, weights) =>
      taps.reduce((sum, tap, nth) => fma(tap, load(weights, VECTOR_BYTES * (nth + 1)), sum), load(weights)),
  });

const LARGEST = overNeighbours('largest', {
  weightBytes: 0,
  result: (taps) => taps.reduce((most, tap) => larger(most, tap)),
});

const SUM: FunctionSource = {
  name: 'sum',
  params: ['i32', 'i32', 'i32', 'i32', 'i32', 'f32'],
  body(locals) {
    const [one, other, otherStep, output, bytes, least] = indices(6) as [number, number, number, number, number, number]; // prettier-ignore
    const value = locals.v128();
    return repeat(
      [
        set(value, sum(load(get(one)), load(get(other)))),
        store(get(output), larger(get(value), splat(get(least)))),
        [one, output].map((pointer) => increase(pointer, constant(VECTOR_BYTES))),
        increase(other, get(otherStep)),
        decrease(bytes, constant(VECTOR_BYTES)),
      ],
      get(bytes),
    );
  },
};

const SPREAD: FunctionSource = {
  name: 'spread',
  params: ['i32', 'i32', 'i32', 'i32', 'i32'],
  body() {
    const [from, pieceBytes, pieces, to, toStep] = indices(5) as [number, number, number, number, number];
    return repeat(
      [
        copy(get(to), get(from), get(pieceBytes)),
        increase(from, get(pieceBytes)),
        increase(to, get(toStep)),
        decrease(pieces, constant(1)),
      ],
      get(pieces),
    );
  },
};

const TAKE_PARTS: FunctionSource = {
  name: 'takeParts',
  params: ['i32'],
  body(locals) {
    const [shared, part, at] = [0, locals.i32(), locals.i32()];
    const common = (nth: number) => loadInteger(get(shared), 4 * (SHARED_CALL.common + nth));
    const own = (nth: number) => loadInteger(get(at), 4 * (SHARED_CALL.parts + nth));
    const range = [5, 6].map((nth) => loadFloat(get(shared), 4 * (SHARED_CALL.common + nth)));
    return during(
      [
        set(part, takeNumber(get(shared), 4 * SHARED_CALL.taken)),
        isGreater(constant(PARTS), get(part)),
      ],
      [
        set(at, add(get(shared), multiply(get(part), constant(4 * PART_INTEGERS)))),
        when(
          own(1),
          call(0, [common(0), own(0), own(1), common(1), common(2), common(3), own(2), own(3), own(4), common(4), range]), // prettier-ignore
        ),
        when(
          isEqual(takeNumber(get(shared), 4 * SHARED_CALL.done), constant(PARTS - 1)),
          notify(get(shared), 4 * SHARED_CALL.done),
        ),
      ],
    );
  },
};
