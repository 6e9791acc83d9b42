/** The servers that stand in for what a deployment has: a KMS, a mail server and a payment provider. Each is left out when the caller names a real one. */
import path from 'node:path';
import { PLACES, WORKSPACE } from './places.mjs';

const program = (file) => path.join(WORKSPACE, 'libs/dev-servers/src', file);

/** Neither refuses to start because of what the caller's shell says about production. */
function cleanEnvironment() {
  const refused = ['NODE_ENV', 'SERVICE_ENVIRONMENT'];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !refused.includes(name)));
}

/**
 * The development KMS. `answer` is what the apps need to know of it.
 * @returns {{ name: string, label: string, server: object | null, answer: Record<string, string> }}
 */
export function kmsServer(ports) {
  if (process.env.KMS_ENDPOINT) return { name: 'kms', label: '', server: null, answer: {} };
  const url = `http://127.0.0.1:${ports.kms}`;
  return {
    name: 'kms',
    label: 'Development KMS',
    server: {
      args: [program('dev-kms.mjs'), '--dir', PLACES.kms, '--port', String(ports.kms)],
      env: cleanEnvironment(),
      doors: [{ readyUrl: `${url}/__health`, port: ports.kms }],
    },
    answer: {
      KMS_ENDPOINT: url,
      KMS_KEY_ID: 'alias/constancia-signing',
      STATEMENT_KEY_ID: 'alias/constancia-signing',
      ARCHIVE_KEY_ID: 'alias/constancia-signing',
      DATA_KEY_ID: 'alias/constancia-data',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'development',
      AWS_SECRET_ACCESS_KEY: 'development',
    },
  };
}

/** The sink of mails and text messages with its readable mailbox. `answer` is what the apps need to know of it. */
export function mailbox(ports) {
  const { SMTP_URL } = process.env;
  if (SMTP_URL) return { name: 'mailbox', label: '', server: null, answer: { SMTP_URL } };
  const url = `http://127.0.0.1:${ports.mailbox}`;
  return {
    name: 'mailbox',
    label: 'Mailbox',
    server: {
      args: [program('mailbox.mjs'), '--port', String(ports.mailbox), '--smtp-port', String(ports.smtp)],
      env: cleanEnvironment(),
      doors: [{ readyUrl: `${url}/messages`, port: ports.mailbox }],
    },
    answer: {
      SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
      SMS_ENDPOINT: url,
      SMS_ORIGINATION_IDENTITY: 'CONSTANCIA',
      WHATSAPP_URL: `${url}/v23.0`,
      WHATSAPP_PHONE_NUMBER_ID: '1',
      WHATSAPP_ACCESS_TOKEN: 'development',
      WHATSAPP_TEMPLATE: 'sign_code',
    },
  };
}

/** The payment provider. `answer` is what the platform needs to know of it; what it takes is kept with the stack's data. */
export function paymentSimulator(ports, secrets) {
  if (process.env.PAYMENT_PROVIDER_URL) return { name: 'payments', label: '', server: null, answer: {} };
  const url = `http://127.0.0.1:${ports.payments}`;
  const { PAYMENT_ACCESS_TOKEN, PAYMENT_WEBHOOK_SECRETS } = secrets;
  return {
    name: 'payments',
    label: 'Payment simulator',
    server: {
      args: [
        program('payment-simulator/payment-simulator.mjs'),
        '--port',
        String(ports.payments),
        '--file',
        PLACES.payments,
      ],
      env: { ...cleanEnvironment(), PAYMENT_ACCESS_TOKEN, PAYMENT_WEBHOOK_SECRETS },
      doors: [{ readyUrl: `${url}/__health`, port: ports.payments }],
    },
    answer: { PAYMENT_PROVIDER_URL: url, PAYMENT_ACCESS_TOKEN, PAYMENT_WEBHOOK_SECRETS },
  };
}
