import type { RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';
import { answerHeaders } from './answer-headers.ts';

/** A rule that says something else than the interface does, where it does not hold, and why. */
export interface Exception {
  rules: string[];
  /** Left out: everywhere. */
  paths?: string[];
  reason: string;
}

const NEEDS_A_KEY = ['owasp:api2:2023-read-restricted', 'owasp:api8:2023-define-error-responses-401'];
const NEEDS_A_KEY_TO_WRITE = ['owasp:api2:2023-write-restricted', 'owasp:api8:2023-define-error-responses-401'];

const DOCUMENTS = ['/api/platform.v1.yaml', '/api/compliance.v1.yaml', '/api/signing.v1.yaml'];

export const EXCEPTIONS: readonly Exception[] = [
  {
    rules: ['owasp:api8:2023-define-cors-origin'],
    reason:
      'CORS is off: no answer carries the header, and a browser on another origin reads none. What must not be there is checked.',
  },
  {
    rules: ['owasp:api4:2023-rate-limit'],
    reason: 'Wants one of two sets of headers; every answer carries both. A stricter rule takes its place.',
  },
  {
    rules: ['owasp:api4:2023-rate-limit-responses-429'],
    paths: ['/livez', '/readyz'],
    reason: 'Probes are never refused for their number: the orchestrator would kill a busy process.',
  },
  {
    rules: NEEDS_A_KEY,
    paths: [
      '/livez',
      '/readyz',
      ...DOCUMENTS,
      '/docs',
      '/docs/{file}',
      '/problems/{slug}',
      '/problems/page.css',
      '/owner-email',
      '/owner-email/page.js',
      '/owner-email-change',
      '/owner-email-change/page.js',
      '/owner-email-stop',
      '/owner-email-stop/page.js',
      '/payment-return',
      '/v1/billing/topups/{id}/return',
    ],
    reason: 'Health, the document itself and the pages for people are open to everyone.',
  },
  {
    rules: NEEDS_A_KEY,
    paths: ['/logos/{sha256}.png'],
    reason: 'Pages and mails of the tenant show its logo to anybody.',
  },
  {
    rules: NEEDS_A_KEY,
    paths: ['/v1/wallet/status-list/{list_id}', '/v1/wallet/status-lists'],
    reason: 'Anybody to whom a credential is shown looks up whether it is still valid.',
  },
  {
    rules: NEEDS_A_KEY,
    paths: ['/embed/v1.js'],
    reason: 'Pages of tenants load it.',
  },
  {
    rules: [...NEEDS_A_KEY, 'owasp:api2:2023-write-restricted', 'owasp:api2:2023-no-credentials-in-url'],
    paths: ['/v1/embed/sessions/{token}/exchange', '/v1/embed/sessions/{token}/state'],
    reason:
      'The token of an embed session is the credential, as published: 256 bits, kept as a hash, in no log; a wrong one is 404.',
  },
  {
    rules: NEEDS_A_KEY,
    paths: [
      '/keys/{fingerprint}.crt',
      '/keys/{fingerprint}.pem',
      '/v1/verify/by-sha256/{sha256}',
      '/v1/verify/{public_id}',
    ],
    reason: 'A sealed document can be verified by anybody.',
  },
  {
    rules: NEEDS_A_KEY_TO_WRITE,
    paths: [
      '/signup',
      '/tenants/{id}/api-key-recovery',
      '/tenants/{id}/owner-email/proof',
      '/tenants/{id}/owner-email/stop',
    ],
    reason:
      'Who has no key yet, or none any more, or proves an address with a token. Five requests in a quarter of an hour per address.',
  },
  {
    rules: NEEDS_A_KEY_TO_WRITE,
    paths: ['/v1/wallet/sessions/start'],
    reason: 'A person who signs in has no credential yet: every address gets the same answer, limited by address.',
  },
  {
    rules: ['owasp:api2:2023-write-restricted'],
    paths: ['/v1/wallet/sessions/verify'],
    reason: 'The mailed code is the credential: a wrong one is 401.',
  },
  {
    rules: NEEDS_A_KEY_TO_WRITE,
    paths: ['/v1/wallet/recovery/start', '/v1/wallet/recovery/verify', '/v1/wallet/recovery/complete'],
    reason:
      'Who lost access has no credential: a mailed code, or pictures whose address only a right code gives. Five a minute.',
  },
  {
    rules: [...NEEDS_A_KEY_TO_WRITE, 'owasp:api2:2023-no-credentials-in-url'],
    paths: ['/v1/wallet/recovery/cancel/{cancel_token}'],
    reason:
      'The token of the notice is the credential, as published: 256 bits, kept as a hash, in no log; a wrong one is 404.',
  },
  {
    rules: NEEDS_A_KEY,
    paths: ['/v1/wallet/recovery/{recovery_id}'],
    reason: 'Only who began the recovery has its random id, which shows only its state.',
  },
  {
    rules: ['owasp:api2:2023-write-restricted', 'owasp:api2:2023-no-credentials-in-url'],
    paths: ['/v1/wallet/recovery-evidence/{token}', '/v1/wallet/recovery-evidence/{token}/challenge'],
    reason: 'The address holds a sealed, short-lived token, which is the credential; an altered one is 401.',
  },
  {
    rules: ['owasp:api2:2023-write-restricted'],
    paths: ['/v1/billing/callbacks/{provider}'],
    reason: 'The payment provider signs its callbacks: x-signature is the credential; another one is 401.',
  },
  {
    rules: ['owasp:api2:2023-write-restricted'],
    paths: ['/uploads/{id}'],
    reason: 'The address is signed and short-lived: it is the credential, as published; an altered one is 401.',
  },
  {
    rules: [...NEEDS_A_KEY, 'owasp:api2:2023-write-restricted', 'owasp:api2:2023-no-credentials-in-url'],
    paths: [
      '/v1/sign/{token}',
      '/v1/sign/{token}/access-code',
      '/v1/sign/{token}/consent',
      '/v1/sign/{token}/copy',
      '/v1/sign/{token}/decline',
      '/v1/sign/{token}/document',
      '/v1/sign/{token}/draft',
      '/v1/sign/{token}/new-link',
      '/v1/sign/{token}/identity',
      '/v1/sign/{token}/identity/complete',
      '/v1/sign/{token}/not-me',
      '/v1/sign/{token}/otp/send',
      '/v1/sign/{token}/otp/verify',
      '/v1/sign/{token}/sign',
    ],
    reason:
      'The token of a mailed link is the signer’s credential, as published: 256 bits, kept as a hash, in no log; a wrong one is 404.',
  },
];

const SIX = Object.keys(answerHeaders());

/** What the interface asks for where the rules of others do not. */
const OWN_RULES = {
  'constancia:no-cors': {
    message: 'CORS is off: no answer carries {{property}}.',
    severity: 'error',
    given: '$..headers',
    then: { field: 'Access-Control-Allow-Origin', function: absent },
  },
  'constancia:answer-headers': {
    message: '{{error}}',
    severity: 'error',
    given: '$.paths[*]..responses[*]',
    then: { field: 'headers', function: allSix },
  },
} as const;

function absent(value: unknown): { message: string }[] {
  return value === undefined ? [] : [{ message: 'must not be there' }];
}

function allSix(headers: unknown): { message: string }[] {
  const missing = SIX.filter((name) => !Object.hasOwn((headers as object | null) ?? {}, name));
  return missing.length === 0 ? [] : [{ message: `The answer lacks the headers ${missing.join(', ')}.` }];
}

/** Spectral's rules of OpenAPI, every OWASP rule, and our own; less the exceptions, each for its paths alone. */
export function ruleset(exceptions: readonly Exception[] = EXCEPTIONS): RulesetDefinition {
  const everywhere = exceptions.filter(({ paths }) => paths === undefined);
  return {
    extends: [
      [rulesets.oas, 'recommended'],
      [owasp as unknown as RulesetDefinition, 'all'],
    ],
    rules: { ...OWN_RULES, ...off(everywhere.flatMap(({ rules }) => rules)) },
    overrides: exceptions.flatMap(({ rules, paths = [] }) =>
      paths.length === 0 ? [] : [{ files: paths.map(pointer), rules: off(rules) }],
    ),
  } as unknown as RulesetDefinition;
}

function off(rules: string[]): Record<string, 'off'> {
  return Object.fromEntries(rules.map((rule) => [rule, 'off']));
}

/** A path of any of the documents, as an override names it. */
function pointer(path: string): string {
  return `*.v1.yaml#/paths/${encodeURI(path.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}
