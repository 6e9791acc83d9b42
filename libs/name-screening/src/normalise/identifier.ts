/** A document or registration number as it is compared. */
export interface Identifier {
  type: string;
  country?: string;
  number: string;
}

/** Types that mean one thing in one register; all other types are the sources' own words. */
const KNOWN = new Set(['CC', 'CE', 'TI', 'PA', 'PPT', 'NIT']);
/** Shorter numbers are shared by too many registers. */
const MIN_LENGTH = 4;
const MIN_LENGTH_WITHOUT_COUNTRY = 6;
const CHECK_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

const compact = (number: string) =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+(?=.)/, '');

/** Check digit of a NIT (DIAN, Orden Administrativa 4 of 1989), of its digits without it. */
function nitCheckDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, nth) => total + Number(digit) * (CHECK_WEIGHTS[nth] ?? 0), 0);
  const rest = sum % 11;
  return rest > 1 ? 11 - rest : rest;
}

/**
 * The numbers under which an identifier is found. More than one only for a NIT, which is written with and without its check digit;
 * the NIT of a person is the cédula with one. Empty for what is too short to mean anybody.
 */
export function identifierCores({ type, number }: Identifier): string[] {
  const whole = compact(number);
  const cores = new Set([whole]);
  if (type.toUpperCase() === 'NIT' && /^\d{6,11}$/.test(whole)) {
    const [base, check] = [whole.slice(0, -1), Number(whole.at(-1))];
    const mayHaveCheckDigit =
      /-\s*\d\s*$/.test(number) || whole.length > 9 || (whole.length === 9 && !/^[89]/.test(whole));
    if (mayHaveCheckDigit && nitCheckDigit(base) === check) cores.add(base);
  }
  return [...cores].filter((core) => core.length >= MIN_LENGTH && /\d/.test(core));
}

/**
 * Whether two identifiers mean the same holder: a number in common, countries that do not differ, types that can be one. Without
 * a country on both sides the number must be longer.
 */
export function sameIdentifier(a: Identifier, b: Identifier): boolean {
  const core = identifierCores(a).find((one) => identifierCores(b).includes(one));
  if (core === undefined) return false;
  const [country, other] = [a.country?.toUpperCase(), b.country?.toUpperCase()];
  if (country && other && country !== other) return false;
  if (!(country && other) && core.length < MIN_LENGTH_WITHOUT_COUNTRY) return false;
  return sameType(a.type, b.type, Boolean(country && other));
}

function sameType(a: string, b: string, sameCountry: boolean): boolean {
  const [type, other] = [a.trim().toUpperCase(), b.trim().toUpperCase()];
  if (type === other) return true;
  if (KNOWN.has(type) && KNOWN.has(other)) return NATIONAL.has(type) && NATIONAL.has(other);
  return sameCountry; // a source's own word ("National ID", "Tax ID No.") beside a type of ours
}

/** Numbers of one Colombian series: a NIT of a person is the number of the cédula. */
const NATIONAL = new Set(['CC', 'NIT']);
