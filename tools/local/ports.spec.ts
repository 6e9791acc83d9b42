import { afterEach, expect, it, vi } from 'vitest';
import { refuseUnusablePorts } from './ports.mjs';

const PORTS = {
  platform: 0,
  compliance: 0,
  signing: 0,
  sign: 0,
  console: 0,
  person: 0,
  kms: 0,
  mailbox: 0,
  smtp: 0,
  payments: 0,
};

afterEach(() => vi.unstubAllEnvs());

it('a port that browsers do not open is refused, with other ones', async () => {
  for (const name of ['KMS_ENDPOINT', 'SMTP_URL', 'PAYMENT_PROVIDER_URL']) vi.stubEnv(name, 'http://127.0.0.1:1');
  await expect(refuseUnusablePorts({ ...PORTS, platform: 6000 })).rejects.toThrow(
    'Port 6000 (platform) is one that browsers do not open: use other ports with "npm start -- --port-base 7000".',
  );
});
