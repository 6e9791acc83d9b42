import fs from 'node:fs';
import path from 'node:path';
import { CONTRACT_PLACEHOLDERS, demoContract } from '../../libs/dev-servers/src/demo-contract.mjs';
import { say } from './narrator.mjs';
import { PLACES, STATE } from './places.mjs';

/** Prints where everything is, who the demo tenant is, and three commands to try. */
export function showStack(stack, tookMs) {
  fs.writeFileSync(path.join(PLACES.demo, 'contrato.pdf'), demoContract());
  const { tenant } = stack;
  const placeholders = JSON.stringify(CONTRACT_PLACEHOLDERS.slice(0, 2));
  const ops = Object.entries(stack.ops).map(([app, port]) => `${app} :${port}`);
  say(`
Ready after ${(tookMs / 1000).toFixed(1)} s.

  console         ${stack.console_url}        sign in as the owner, once: ${stack.console_login_url}
                                               a month of work to look at, and a new link: npm run demo -- --console
  mailbox         ${stack.mailbox_url}        every mail and text message of this stack, login links too
  platform        ${stack.base_url}        API: ${stack.base_url}/docs
  compliance      ${stack.compliance_url}        API: ${stack.compliance_url}/docs
  signing         ${stack.signing_url}        API: ${stack.signing_url}/docs
  signing pages   ${stack.sign_url}        links of envelopes; ${stack.sign_url}/verify
  capture page    ${stack.person_url}        subjects of hosted sessions: npm run demo -- --capture
${stack.payments_url ? `  payments        ${stack.payments_url}        a provider that moves no money\n` : ''}  metrics         ${ops.join(', ')}  (/metrics on 127.0.0.1)
  on call         http://127.0.0.1:${stack.ops.platform}/ops/page        its token is in ${PLACES.ops}
  logs            ${PLACES.logs}
  state           ${path.join(STATE, 'stack.json')}

  demo tenant     ${tenant.slug} (${tenant.tenant_id})
  API key         ${tenant.api_key}
  webhook secret  ${tenant.webhook_secret}

Try:

  KEY=${tenant.api_key}
  curl -H "X-API-Key: $KEY" ${stack.base_url}/v1/billing/balance
  curl -H "X-API-Key: $KEY" -H 'Content-Type: application/pdf' \\
    -H 'X-Placeholders: ${placeholders}' \\
    --data-binary @.local/demo/contrato.pdf '${stack.signing_url}/v1/templates?code=contrato'
  curl -H "X-API-Key: $KEY" ${stack.base_url}/webhook-deliveries
  npm run ops -- lag

The whole main job, step by step: npm run demo
Rule sets, screenings and cases, command by command: docs/guides/compliance.md
Onboarding flows, with your own photos: docs/guides/identity.md
Several people who sign one document, in a browser: docs/guides/envelopes.md
Buying credits, through the payment simulator: npm run demo -- --topup
An event did not arrive: docs/guides/on-call.md
${process.env.CONSTANCIA_BACKGROUND ? 'It runs in the background: "npm run stop" ends it.' : 'Ctrl-C ends it.'}`);
}
