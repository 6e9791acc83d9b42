import { randomBytes } from 'node:crypto';
import { PLACES, readJson, writePrivate } from './places.mjs';

/** The keys of this local deployment, made once and kept where only this user reads them. */
export function secrets() {
  const kept = readJson(PLACES.secrets);
  const made = {
    SECRETS_KEY: randomBytes(32).toString('base64'),
    QUEUE_SEALING_KEY: randomBytes(32).toString('base64'),
    POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
    ROLES_SECRET: randomBytes(32).toString('hex'),
    OPS_TOKEN: randomBytes(33).toString('base64url'),
    PAYMENT_ACCESS_TOKEN: randomBytes(24).toString('base64url'),
    PAYMENT_WEBHOOK_SECRETS: randomBytes(32).toString('base64url'),
    ...kept,
  };
  if (kept === null || Object.keys(made).length !== Object.keys(kept).length) writePrivate(PLACES.secrets, made);
  return made;
}
