import type { SealRows } from '@constancia/personal-data';
import { sealMergeDataById } from '../signatures/sealed-merge-data.ts';
import { sealEnvelopesById, sealSignersById } from './seal-envelopes.ts';

/** The tables that hold personal data, for the sealing sweep. */
export const SEALED_TABLES: Readonly<Record<string, SealRows>> = {
  signature_request: sealMergeDataById,
  envelope: sealEnvelopesById,
  envelope_signer: sealSignersById,
};
