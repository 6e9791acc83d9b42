/** In place, along `length` (a power of two) values that are `step` apart. */
function transform(real: Float64Array, imaginary: Float64Array, from: number, step: number, length: number): void {
  for (let at = 1, other = 0; at < length; at++) {
    let bit = length >> 1;
    for (; other & bit; bit >>= 1) other ^= bit;
    other ^= bit;
    if (at < other) {
      swap(real, from + at * step, from + other * step);
      swap(imaginary, from + at * step, from + other * step);
    }
  }
  for (let size = 2; size <= length; size <<= 1) {
    const angle = (-2 * Math.PI) / size;
    for (let k = 0; k < size / 2; k++) {
      const [c, s] = [Math.cos(angle * k), Math.sin(angle * k)];
      for (let block = k; block < length; block += size) {
        const [a, b] = [from + block * step, from + (block + size / 2) * step];
        const [re, im] = [real[b] as number, imaginary[b] as number];
        const [tr, ti] = [re * c - im * s, re * s + im * c];
        real[b] = (real[a] as number) - tr;
        imaginary[b] = (imaginary[a] as number) - ti;
        real[a] = (real[a] as number) + tr;
        imaginary[a] = (imaginary[a] as number) + ti;
      }
    }
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one] as number;
  values[one] = values[other] as number;
  values[other] = kept;
}

/** Power of the two-dimensional Fourier transform of a square (its side a power of two), after a window that lets the edges fade. */
export function powerSpectrum(patch: ArrayLike<number>, side: number): Float64Array {
  const window = Float64Array.from(
    { length: side },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / side),
  );
  let mean = 0;
  for (let at = 0; at < patch.length; at++) mean += (patch[at] as number) / patch.length;
  const real = new Float64Array(side * side);
  for (let at = 0; at < real.length; at++) {
    real[at] =
      ((patch[at] as number) - mean) * (window[at % side] as number) * (window[Math.floor(at / side)] as number);
  }
  const imaginary = new Float64Array(real.length);
  for (let line = 0; line < side; line++) transform(real, imaginary, line * side, 1, side);
  for (let column = 0; column < side; column++) transform(real, imaginary, column, side, side);
  return real.map((value, at) => value ** 2 + (imaginary[at] as number) ** 2);
}
