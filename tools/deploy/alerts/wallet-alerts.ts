/** Alerts about wallets of persons. Mails to them: MailsUnsent, kind wallet_mail. */
import { type Alert, firing, growing, only, silent, steady } from './alert.ts';
import { metric } from './promql.ts';

export const OF_WALLETS: readonly Alert[] = [
  {
    alert: 'WalletOffersOverdue',
    severity: 'ticket',
    for: '5m',
    summary:
      'A verification that a person asked to keep has been waiting for more than ten minutes; after seven days it is dropped.',
    concerns: only('platform'),
    expr: (scope) => `max(${metric('wallet_offer_lag_seconds', scope)}) > 600`,
    cases: [
      firing('20m', steady('wallet_offer_lag_seconds', 900)),
      silent('20m', steady('wallet_offer_lag_seconds', 5)),
      silent('3m', steady('wallet_offer_lag_seconds', 900)),
    ],
  },
  {
    alert: 'WalletRecoveriesOverdue',
    severity: 'ticket',
    for: '5m',
    summary:
      'A recovery of a wallet should have begun its cooling time, or have taken effect, more than ten minutes ago: its person waits.',
    concerns: only('platform'),
    expr: (scope) => `max(${metric('wallet_recovery_lag_seconds', scope)}) > 600`,
    cases: [
      firing('20m', steady('wallet_recovery_lag_seconds', 900)),
      silent('20m', steady('wallet_recovery_lag_seconds', 5)),
      silent('3m', steady('wallet_recovery_lag_seconds', 900)),
    ],
  },
  {
    alert: 'PresentationsOverdue',
    severity: 'ticket',
    for: '5m',
    summary:
      'A request for a kept verification should have been looked up, or have ended, more than five minutes ago: its tenant’s credits stay held.',
    concerns: only('platform'),
    expr: (scope) => `max(${metric('wallet_presentation_lag_seconds', scope)}) > 300`,
    cases: [
      firing('20m', steady('wallet_presentation_lag_seconds', 400)),
      silent('20m', steady('wallet_presentation_lag_seconds', 5)),
      silent('3m', steady('wallet_presentation_lag_seconds', 400)),
    ],
  },
  {
    alert: 'PresentationsReported',
    severity: 'ticket',
    for: '0m',
    summary: 'A person reported a request for their verification as abuse.',
    concerns: only('platform'),
    expr: (scope) => `sum(increase(${metric('wallet_reports_total', scope)}[15m])) > 0`,
    cases: [firing('30m', growing('wallet_reports_total', 1)), silent('30m', steady('wallet_reports_total', 4))],
  },
  {
    alert: 'WalletSignInsFail',
    severity: 'ticket',
    for: '0m',
    summary: 'More than fifty sign-ins to wallets failed in 15 minutes: somebody may be guessing codes.',
    concerns: only('platform'),
    expr: (scope) => `sum(increase(${metric('wallet_sign_ins_total', scope, 'outcome=~"wrong|locked"')}[15m])) > 50`,
    cases: [
      firing('30m', growing('wallet_sign_ins_total', 6, { outcome: 'wrong' })),
      firing(
        '30m',
        growing('wallet_sign_ins_total', 3, { outcome: 'wrong' }),
        growing('wallet_sign_ins_total', 3, { outcome: 'locked' }),
      ),
      silent('30m', growing('wallet_sign_ins_total', 2, { outcome: 'wrong' })),
      silent('30m', growing('wallet_sign_ins_total', 90, { outcome: 'ok' })),
    ],
  },
  {
    alert: 'OpenIdReplays',
    severity: 'ticket',
    for: '0m',
    summary: 'More than ten used codes or refresh tokens of the OpenID provider were presented again in 15 minutes.',
    concerns: only('platform'),
    expr: (scope) => `sum(increase(${metric('oidc_replays_total', scope)}[15m])) > 10`,
    cases: [firing('30m', growing('oidc_replays_total', 2)), silent('30m', steady('oidc_replays_total', 40))],
  },
];
