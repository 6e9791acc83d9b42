import type { Journal } from '../oracle/journal.ts';

/** How often persons answered requests for what they keep, and what came of the codes of their sign-ins. */
export function personFigures({ calls, statements, redemptions }: Journal): Record<string, number> {
  const requested = calls.filter(({ kind, outcome }) => kind === 'presentation' && outcome === 'acknowledged').length;
  const answers = statements.filter(({ kind }) => kind === 'request answered');
  const answered = (status: string) =>
    new Set(answers.filter((each) => each.status === status).map(({ id }) => id)).size;
  return {
    requested,
    approved: answered('approved'),
    declined: answered('declined') + answered('expired'),
    cancelled: answered('cancelled'),
    codes: redemptions.length,
    'codes sent more than once': redemptions.filter(({ length }) => length > 1).length,
    'codes redeemed': redemptions.filter((statuses) => statuses.includes(200)).length,
    'paid sign-ins': statements.filter(({ kind }) => kind === 'verification released').length,
  };
}
