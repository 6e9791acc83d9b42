import type { Page } from 'playwright-core';
import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** Gives the browser of a page a device with an internal authenticator that verifies its person, and a passkey for each host. */
export async function addPasskeys(page: Page, hosts: readonly string[] = []): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  for (const rpId of hosts) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await devtools.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: {
        credentialId: randomBytes(16).toString('base64'),
        isResidentCredential: true,
        rpId,
        privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
        userHandle: randomBytes(16).toString('base64'),
        signCount: 1,
      },
    });
  }
}
