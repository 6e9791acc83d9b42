import type { ModuleSchema } from '@constancia/persistence';
import { TemplatesAndSignatures1763700000100 } from './1763700000100-templates-and-signatures.ts';
import { SealingFunctions1763700000200 } from './1763700000200-sealing-functions.ts';
import { CircuitsAndEnvelopes1763700000300 } from './1763700000300-circuits-and-envelopes.ts';
import { Verification1763700000320 } from './1763700000320-verification.ts';

/** The schema that templates, signature requests, circuits, envelopes and signing keys live in. */
export const SIGNING: ModuleSchema = {
  schema: 'signing',
  migrations: [
    TemplatesAndSignatures1763700000100,
    SealingFunctions1763700000200,
    CircuitsAndEnvelopes1763700000300,
    Verification1763700000320,
  ],
};
