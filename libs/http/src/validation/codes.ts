/** The stable code of each rule that a request class may state, by class-validator's name of the rule. */
const CODES: Record<string, string> = {
  whitelistValidation: 'unknown_member',
  isDefined: 'required',
  isString: 'wrong_type',
  isInt: 'wrong_type',
  isNumber: 'wrong_type',
  isBoolean: 'wrong_type',
  isArray: 'wrong_type',
  isObject: 'wrong_type',
  isDate: 'wrong_type',
  nestedValidation: 'wrong_type',
  isNotEmpty: 'too_short',
  minLength: 'too_short',
  maxLength: 'too_long',
  isLength: 'wrong_length',
  arrayNotEmpty: 'too_few',
  arrayMinSize: 'too_few',
  arrayMaxSize: 'too_many',
  arrayUnique: 'not_unique',
  min: 'out_of_range',
  max: 'out_of_range',
  isPositive: 'out_of_range',
  isDivisibleBy: 'out_of_range',
  minDate: 'out_of_range',
  maxDate: 'out_of_range',
  isIn: 'not_allowed',
  isNotIn: 'not_allowed',
  isEnum: 'not_allowed',
  equals: 'not_allowed',
};

const FORMATS = /^(?:matches|contains|is[A-Z]\w*)$/;

/** Rules that say what kind of value it is: when one is broken, the others say nothing useful. */
export const TYPE_RULES = new Set(Object.keys(CODES).filter((rule) => CODES[rule] === 'wrong_type'));

/** The code of a broken rule; of a rule that an app made itself: its own name in snake_case. */
export function codeOf(rule: string): string {
  const known = CODES[rule];
  if (known !== undefined) return known;
  if (FORMATS.test(rule)) return 'wrong_format';
  return rule.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
