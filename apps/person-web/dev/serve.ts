/** node tools/run.mjs apps/person-web/dev/serve.ts: the built page over the stand-in server, one link for each step, a wallet, and a request. */
import { startCaptureServer } from './capture-server.ts';
import { CONSENT_CODE } from './consents.ts';
import { WALLET_CODE } from './wallets.ts';

const server = await startCaptureServer(Number(process.env.PORT ?? 0));
for (const step of ['consent', 'document_upload', 'face_match', 'sarlaft'] as const)
  console.log(`${step}: ${server.add({ step, fileAllowed: true }).link}`);
const { email } = server.wallets.add({ email: 'ana@correo.example' });
console.log(`wallet: ${server.url}/wallet, ${email}, code ${WALLET_CODE}`);
console.log(`consent: ${server.url}/consent/${server.consents.add().token}, code ${CONSENT_CODE}`);
