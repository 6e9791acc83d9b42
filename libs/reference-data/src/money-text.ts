const CODE = /^[A-Za-z]{3}$/;
/** As many as an amount may have: what was given is not rounded. */
const MOST_DIGITS = 8;

/**
 * An amount as money in a language (BCP 47), with the code of its currency (ISO 4217) rather than a sign that several share; without a
 * code, the number alone.
 */
export function moneyText(amount: number, currency: string | undefined, language: string): string {
  if (currency === undefined || !CODE.test(currency)) {
    const number = new Intl.NumberFormat(language, { maximumFractionDigits: MOST_DIGITS }).format(amount);
    return [number, currency].filter(Boolean).join(' ');
  }
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: MOST_DIGITS,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount);
}
