const WEIGHTS = [7, 3, 1];

/** The check digit of ICAO 9303-3, section 4.9: weights 7, 3, 1; A is 10, `<` is 0. */
export function checkDigit(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += valueOf(text.charCodeAt(at)) * (WEIGHTS[at % 3] as number);
  return sum % 10;
}

function valueOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 65 && code <= 90 ? code - 55 : 0;
}

/** Whether a check digit fits what it covers. `<` stands for 0 where the field is empty (optional data only). */
export function fits(covered: string, digit: string): boolean {
  if (digit === '<') return /^<*$/.test(covered);
  return digit.length === 1 && Number(digit) === checkDigit(covered);
}
