/** node tools/run.mjs apps/signer-web/dev/serve.ts: the built page over the stand-in server, one link for each screen. */
import { startSignServer } from './sign-server.ts';

const server = await startSignServer(Number(process.env.PORT ?? 0));
const links = {
  'whole journey': server.add({ auth: ['otp_email', 'access_code'], afterSigning: 'sealed' }),
  'code to the phone': server.add({ auth: ['otp_sms', 'otp_whatsapp'] }),
  'reading and signing': server.add({ signerStatus: 'authenticated' }),
  waiting: server.add({ signerStatus: 'waiting' }),
  sealed: server.add({ signerStatus: 'signed', envelopeStatus: 'sealed' }),
};
for (const [name, { link, envelope }] of Object.entries(links))
  console.log(`${name}: ${link} (code ${envelope.otp}, access code ${envelope.accessCode})`);
