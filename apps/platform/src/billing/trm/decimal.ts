/** A decimal text as a whole number of ten-thousandths. Throws TypeError for anything else. */
export function tenThousandths(decimal: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec(decimal) ?? [];
  if (whole === undefined) throw new TypeError(`not a decimal number with at most four places: ${decimal}`);
  return BigInt(whole + fraction.padEnd(4, '0'));
}

/** The rate as people write it: two places, or as many as it has. */
export function rateText(decimal: string): string {
  const value = tenThousandths(decimal);
  const fraction = String(value % 10_000n).padStart(4, '0');
  return `${value / 10_000n}.${fraction.replace(/0{1,2}$/, '')}`;
}
