/** Alerts about API keys and sign-ins. */
import { type Alert, firing, growing, only, silent, steady } from './alert.ts';
import { metric } from './promql.ts';

export const OF_CREDENTIALS: readonly Alert[] = [
  {
    alert: 'KeysOutsideTheirNetworks',
    severity: 'ticket',
    for: '0m',
    summary:
      'More than twenty requests in 15 minutes carried an API key from outside its networks: it may be in other hands.',
    concerns: ({ ports }) => ports.http !== undefined,
    expr: (scope) => `sum(increase(${metric('api_key_network_rejections_total', scope)}[15m])) > 20`,
    cases: [
      firing('30m', growing('api_key_network_rejections_total', 3)),
      silent('30m', growing('api_key_network_rejections_total', 1)),
      silent('30m', steady('api_key_network_rejections_total', 900)),
    ],
  },
  {
    alert: 'MemberSignInsFail',
    severity: 'ticket',
    for: '0m',
    summary: 'More than fifty sign-ins of members failed in 15 minutes: somebody may be guessing codes.',
    concerns: only('platform'),
    expr: (scope) => `sum(increase(${metric('member_sign_ins_total', scope, 'outcome=~"wrong|locked"')}[15m])) > 50`,
    cases: [
      firing('30m', growing('member_sign_ins_total', 6, { outcome: 'wrong' })),
      firing(
        '30m',
        growing('member_sign_ins_total', 3, { outcome: 'wrong' }),
        growing('member_sign_ins_total', 3, { outcome: 'locked' }),
      ),
      silent('30m', growing('member_sign_ins_total', 2, { outcome: 'wrong' })),
      silent('30m', growing('member_sign_ins_total', 90, { outcome: 'ok' })),
    ],
  },
];
