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
  multiply,
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
import {
  LANES,
  PANEL_BYTES,
  PART_INTEGERS,
  PARTS,
  PIXELS,
  SHARED_CALL,
  SIDE,
  TAPS,
  VECTOR_BYTES,
} from './kernel-forms.ts';

type MultiplyAdd = (a: Code, b: Code, c: Code) => Code;

/** The sources of the kernels (Kernels), with this way of multiplying and adding. */
export const kernelSources = (fma: MultiplyAdd): readonly FunctionSource[] => [
  convolution(fma),
  depthwise(fma),
  LARGEST,
  SUM,
  SPREAD,
  TAKE_PARTS,
]; // TAKE_PARTS calls the first

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
      [set(part, takeNumber(get(shared), 4 * SHARED_CALL.taken)), isGreater(constant(PARTS), get(part))],
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
