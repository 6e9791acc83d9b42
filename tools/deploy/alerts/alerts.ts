import type { Module } from '../modules.ts';
import type { Alert } from './alert.ts';
import { BUDGET_ALERTS } from './budget-alerts.ts';
import { OF_EVERY_API, OF_EVERY_PROCESS, WHO_CONSUMES, WHO_MAILS } from './common-alerts.ts';
import { OF_CREDENTIALS } from './credential-alerts.ts';
import { OF_BIOMETRICS, OF_COMPLIANCE, OF_DELIVERY, OF_SEALING, OF_SIGNING } from './module-alerts.ts';
import { OF_BILLING, OF_THE_LEDGER } from './money-alerts.ts';
import { OF_WALLETS } from './wallet-alerts.ts';

/** Every alert there is. Its runbook is deploy/runbooks/<alert>.md. */
export const ALERTS: readonly Alert[] = [
  ...OF_EVERY_PROCESS,
  ...WHO_CONSUMES,
  ...WHO_MAILS,
  ...BUDGET_ALERTS,
  ...OF_THE_LEDGER,
  ...OF_CREDENTIALS,
  ...OF_WALLETS,
  ...OF_BILLING,
  ...OF_EVERY_API,
  ...OF_COMPLIANCE,
  ...OF_SIGNING,
  ...OF_SEALING,
  ...OF_DELIVERY,
  ...OF_BIOMETRICS,
];

export const alertsOf = (module: Module): Alert[] => ALERTS.filter(({ concerns }) => concerns(module));
