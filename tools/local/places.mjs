/** Where things are: folders, state files and ports of the local stack. */
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '../build/sources.mjs';
import { LaunchError } from './launch-error.mjs';

export { WORKSPACE };
export const STATE = path.join(WORKSPACE, '.local');

export const PLACES = {
  logs: path.join(STATE, 'logs'),
  storage: path.join(STATE, 'storage'),
  kms: path.join(STATE, 'kms'),
  demo: path.join(STATE, 'demo'),
  payments: path.join(STATE, 'payments.json'),
  month: path.join(STATE, 'month.json'),
  stack: path.join(STATE, 'stack.json'),
  secrets: path.join(STATE, 'secrets.json'),
  operator: path.join(STATE, 'operator.json'),
  ops: path.join(STATE, 'ops.json'),
  pids: path.join(STATE, 'pids.json'),
  lock: path.join(STATE, 'launcher.lock'),
};

export const DEFAULT_PORT_BASE = 3000;

/** Published ports have a fixed place from the base; what only the launcher and a person with a debugger visit comes after. */
export function portsFrom(base) {
  return {
    platform: base,
    compliance: base + 1,
    signing: base + 2,
    sign: base + 3,
    console: base + 9,
    person: base + 16,
    mailbox: base + 4,
    kms: base + 5,
    smtp: base + 6,
    postgres: base + 7,
    payments: base + 8,
    ops: {
      platform: base + 10,
      compliance: base + 11,
      signing: base + 12,
      'sealing-worker': base + 13,
      'webhook-dispatcher': base + 14,
      'biometrics-worker': base + 15,
    },
  };
}

/** Where "npm run receive" listens, next to a stack with this base. */
export const receiverPort = (base) => (base <= 64_000 ? base + 1_000 : base - 1_000);

/** Makes the state folder. Others may pass through it (PostgreSQL runs as "nobody" under root) but not look into it. */
export function makeState() {
  const me = process.getuid?.() ?? 0;
  if (me !== 0 && fs.existsSync(STATE) && fs.statSync(STATE).uid !== me) {
    throw new LaunchError(
      `${STATE} belongs to another user (an earlier start as root?): remove it as that user, or start as that user.`,
    );
  }
  for (const folder of [STATE, PLACES.logs, PLACES.demo]) fs.mkdirSync(folder, { recursive: true });
  fs.chmodSync(STATE, 0o711);
}

/** Writes JSON that only this user may read, as a whole or not at all. */
export function writePrivate(file, value) {
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(temporary, file);
}

/** Reads JSON; null when it is absent or broken. */
export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
