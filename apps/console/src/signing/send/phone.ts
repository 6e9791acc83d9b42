/** Mobile numbers of Colombia without their country code. */
const COLOMBIAN = /^3\d{9}$/;

/** A number as people write it, in E.164: without spaces and signs; one without a country code is taken as one of Colombia. */
export function phoneOf(text: string): string {
  const plain = text.replace(/[\s().·-]/g, '').replace(/^00/, '+');
  if (COLOMBIAN.test(plain)) return `+57${plain}`;
  return /^573\d{9}$/.test(plain) ? `+${plain}` : plain;
}
