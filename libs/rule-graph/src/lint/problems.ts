import type { LintErrorCode, LintProblem, LintReport, LintWarningCode } from './lint-report.ts';

const shown = (raw: unknown) => String(JSON.stringify(raw) ?? raw).slice(0, 60);
const escaped = (token: string | number) => String(token).replaceAll('~', '~0').replaceAll('/', '~1');

/** Collects what is wrong, at any depth of what is linted. */
export class Problems {
  constructor(
    private readonly base = '',
    readonly report: LintReport = { errors: [], warnings: [] },
  ) {}

  /** The same report, one level down. */
  at(...path: (string | number)[]): Problems {
    return new Problems(this.base + path.map((token) => `/${escaped(token)}`).join(''), this.report);
  }

  error(code: LintErrorCode, detail: string): undefined {
    this.report.errors.push({ pointer: this.base, code, detail });
    return undefined;
  }

  warn(code: LintWarningCode, detail: string): void {
    this.report.warnings.push({ pointer: this.base, code, detail });
  }

  /** An error whose pointer is relative to here, as predicates report them. */
  relative({ at, code, detail }: { at: string; code: LintErrorCode; detail: string }): void {
    const problem: LintProblem<LintErrorCode> = { pointer: `${this.base}${at}`, code, detail };
    this.report.errors.push(problem);
  }

  object(raw: unknown, what: string): Record<string, unknown> | undefined {
    if (raw !== null && typeof raw === 'object' && !Array.isArray(raw)) return raw as Record<string, unknown>;
    return this.error(raw === undefined ? 'required' : 'wrong_type', `${what} is an object, not ${shown(raw)}.`);
  }

  list(raw: unknown, what: string): unknown[] | undefined {
    if (Array.isArray(raw)) return raw;
    return this.error(raw === undefined ? 'required' : 'wrong_type', `${what} is a list, not ${shown(raw)}.`);
  }

  text(raw: unknown, what: string, pattern: RegExp, shape: string): string | undefined {
    if (typeof raw !== 'string')
      return this.error(raw === undefined ? 'required' : 'wrong_type', `${what} is a text, not ${shown(raw)}.`);
    return pattern.test(raw) ? raw : this.error('value_out_of_range', `${what} has ${shape}, not ${shown(raw)}.`);
  }

  oneOf<C extends string>(raw: unknown, what: string, choices: readonly C[]): C | undefined {
    if (typeof raw !== 'string')
      return this.error(raw === undefined ? 'required' : 'wrong_type', `${what} is one of ${choices.join(', ')}.`);
    if ((choices as readonly string[]).includes(raw)) return raw as C;
    return this.error('value_out_of_range', `${what} is one of ${choices.join(', ')}, not ${shown(raw)}.`);
  }

  integer(raw: unknown, what: string, min: number, max: number): number | undefined {
    if (typeof raw !== 'number' || !Number.isInteger(raw))
      return this.error(raw === undefined ? 'required' : 'wrong_type', `${what} is an integer, not ${shown(raw)}.`);
    if (raw >= min && raw <= max) return raw;
    return this.error('value_out_of_range', `${what} is from ${min} to ${max}, not ${raw}.`);
  }

  noOthers(raw: Record<string, unknown>, known: readonly string[]): void {
    for (const member of Object.keys(raw))
      if (!known.includes(member))
        this.at(member).error(
          'unknown_member',
          `There is no member ${shown(member)} here; known: ${known.join(', ')}.`,
        );
  }
}
