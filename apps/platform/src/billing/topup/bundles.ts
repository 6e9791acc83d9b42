import { ValidationError } from '@constancia/problem-json';

/** More credits for larger amounts. */
export interface Bundle {
  code: string;
  minAmountCop: number;
  bonusPercent: number;
}

/** `<code>:<least amount in COP>:<bonus in percent>` */
export const BUNDLE = /^([a-z0-9_-]{1,32}):(\d{5,8}):(\d{1,2}|100)$/;

/** The bundles that TOPUP_BUNDLES lists. */
export function bundlesOf(texts: readonly string[]): Bundle[] {
  return texts.map((text) => {
    const [, code, least, bonus] = BUNDLE.exec(text) as RegExpExecArray;
    return { code: code as string, minAmountCop: Number(least), bonusPercent: Number(bonus) };
  });
}

/** The bundle of this code, for this amount; undefined when none was asked for. Throws ValidationError. */
export function chosenBundle(
  bundles: readonly Bundle[],
  { bundle: code, amount_cop: amountCop }: { bundle?: string | undefined; amount_cop: number },
  root = '',
): Bundle | undefined {
  if (code === undefined) return undefined;
  const bundle = bundles.find((one) => one.code === code);
  const wrong = (rule: string, detail: string) =>
    new ValidationError([{ pointer: `${root}/bundle`, code: rule, detail }]);
  if (!bundle) {
    throw wrong('not_allowed', 'There is no such bundle: GET /v1/billing/bundles lists them.');
  }
  if (amountCop < bundle.minAmountCop) {
    throw wrong('out_of_range', `This bundle begins at ${bundle.minAmountCop} COP: pay more, or leave it out.`);
  }
  return bundle;
}
