/** node tools/run.mjs apps/person-web/dev/serve.ts: the built page over the stand-in server, one link for each step. */
import { startCaptureServer } from './capture-server.ts';

const server = await startCaptureServer(Number(process.env.PORT ?? 0));
for (const step of ['consent', 'document_upload', 'face_match', 'sarlaft'] as const)
  console.log(`${step}: ${server.add({ step, fileAllowed: true }).link}`);
