import type { DynamicModule, Type } from '@nestjs/common';
import { ComplianceModule } from '../../apps/compliance/src/app.module.ts';
import { ComplianceConfig } from '../../apps/compliance/src/config.ts';
import { PlatformModule } from '../../apps/platform/src/app.module.ts';
import { PlatformConfig } from '../../apps/platform/src/config.ts';
import { SigningModule } from '../../apps/signing/src/app.module.ts';
import { SigningConfig } from '../../apps/signing/src/config.ts';

/** An app with a published API. */
export interface DocumentedApp {
  /** Names docs/api/<name>.v1.yaml and libs/sdk/src/generated/<name>.ts. */
  name: 'platform' | 'compliance' | 'signing';
  title: string;
  description: string;
  /** Only its routes are read: nothing is created or connected. */
  module: Type | DynamicModule;
  tags: { name: string; description: string }[];
  /** Serves the pages that problem types point to. */
  problemPages: boolean;
  /** Its document also describes what is delivered to webhook endpoints. */
  sendsEvents: boolean;
}

const EVERYWHERE =
  'JSON is snake_case; unknown members of a body are refused; times are ISO 8601 UTC with milliseconds. Problems are ' +
  'RFC 9457 documents. Lists take `cursor` and `limit` and answer `next_cursor`. Every answer carries X-Request-Id and the ' +
  'X-RateLimit headers: waiting until X-RateLimit-Reset always suffices for the next request.';

export const DOCUMENTED_APPS: DocumentedApp[] = [
  {
    name: 'platform',
    title: 'Constancia: platform',
    description: `Tenants, credits, webhook endpoints and deliveries; identity flows. ${EVERYWHERE}`,
    module: PlatformModule.forRoot(new PlatformConfig()),
    tags: [
      { name: 'Tenants', description: 'Sign-up, the tenant itself, and the rotation of its secrets.' },
      { name: 'API keys', description: 'Keys with the scopes and networks that a system needs, and no others.' },
      { name: 'Audit log', description: 'What was changed in the name of the tenant, and by whom.' },
      { name: 'Members', description: 'The people of the tenant: their roles and their console sessions.' },
      { name: 'Billing', description: 'The credit balance, its statement, and top-ups.' },
      {
        name: 'Webhooks',
        description: 'Where events are delivered, what became of each delivery, and sending it again.',
      },
      { name: 'Flows', description: 'Versioned sequences of identity steps: drafts, publishing, the default one.' },
      { name: 'Subjects', description: 'Your customers: their pictures, how long what is kept, and their erasure.' },
      { name: 'Sessions', description: 'A subject on the way through a flow: steps, outcomes, review, audit trail.' },
      { name: 'Embedding', description: 'Our pages in a frame of yours: origins, embed sessions, their tokens.' },
      {
        name: 'Reuse',
        description: 'Asking a person for a verification that they keep, for less than a new one costs.',
      },
      { name: 'Wallet', description: 'What a person keeps of their verifications: for the person alone, no key.' },
      { name: 'OpenID', description: 'Your applications that sign persons in with their wallet (OpenID Connect).' },
      { name: 'Export', description: 'Everything that the tenant owns here, as one archive.' },
      { name: 'Configuration', description: 'What the tenant built here, from one tenant to another.' },
      { name: 'Events', description: 'What is delivered to the webhook endpoints.' },
      { name: 'Operations', description: 'Health, this document and the pages that explain problems.' },
    ],
    problemPages: true,
    sendsEvents: true,
  },
  {
    name: 'compliance',
    title: 'Constancia: compliance',
    description: `SARLAFT rule sets, screening against restrictive lists, and the case workbench. ${EVERYWHERE}`,
    module: ComplianceModule.forRoot(new ComplianceConfig()),
    tags: [
      { name: 'Validations', description: 'Versioned rule sets: drafts, publishing, their rules and the catalogue.' },
      { name: 'Screenings', description: 'A subject against a validation and the restrictive lists.' },
      { name: 'Cases', description: 'Review of screenings that were not approved: timeline, decisions, export.' },
      { name: 'Reports', description: 'Cases and screenings of a period: totals, rows and PDF.' },
      { name: 'Lists', description: 'The restrictive lists: versions, age, matching threshold.' },
      { name: 'Settings', description: 'How the tenant works with cases and monitoring.' },
      { name: 'Erasures', description: 'Erasing a person, and what the law obliges to keep.' },
      { name: 'Export', description: 'Everything that the tenant owns here, as one archive.' },
      { name: 'Configuration', description: 'What the tenant built here, from one tenant to another.' },
      { name: 'Operations', description: 'Health and this document.' },
    ],
    problemPages: false,
    sendsEvents: false,
  },
  {
    name: 'signing',
    title: 'Constancia: signing',
    description: `Templates, signature requests, envelopes for several signers, and the keys that prove their documents. ${EVERYWHERE}`,
    module: SigningModule.forRoot(new SigningConfig()),
    tags: [
      { name: 'Templates', description: 'PDFs with places for merge values.' },
      { name: 'Signatures', description: 'Sealing a filled template, asynchronously, and proving the result.' },
      { name: 'Circuits', description: 'A PDF, who signs it, and what each signer fills in: drafts and versions.' },
      { name: 'Envelopes', description: 'A circuit sent to people: links, progress, reminders, the sealed document.' },
      {
        name: 'Signers',
        description: 'What a signer does, by the token of the link: no key. Also on the host of the pages.',
      },
      { name: 'Embedding', description: 'The page of a signer in a frame of yours: embed sessions, their tokens.' },
      { name: 'Signing keys', description: 'Public keys and certificates, for verification by anyone.' },
      { name: 'Erasures', description: 'Erasing a person, and what is kept as evidence.' },
      { name: 'Export', description: 'Everything that the tenant owns here, as one archive.' },
      { name: 'Configuration', description: 'What the tenant built here, from one tenant to another.' },
      { name: 'Verification', description: 'What anybody may ask about a sealed document, without a key.' },
      { name: 'Operations', description: 'Health and this document.' },
    ],
    problemPages: false,
    sendsEvents: false,
  },
];
