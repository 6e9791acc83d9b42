import fs from 'node:fs';
import { ConfigInvalid } from '@constancia/config';
import { certificateChain, certificatesIn, ChainProblem, type SealingIdentity } from '@constancia/pdf-sealing';

/** Reads the configured certificate chain, if there is one. Throws ConfigInvalid. */
export function configuredChain(file: string | undefined): SealingIdentity | undefined {
  return file === undefined ? undefined : read('SIGNING_CERTIFICATE_CHAIN_PEM', file, certificateChain);
}

/** Reads the configured further issuers' certificates (DER). Throws ConfigInvalid. */
export function configuredIssuers(file: string | undefined): Buffer[] {
  if (file === undefined) return [];
  return read('EVIDENCE_ISSUERS_PEM', file, (pem) => certificatesIn(pem).map(({ raw }) => raw));
}

function read<T>(variable: string, file: string, parse: (pem: string) => T): T {
  try {
    return parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    const detail =
      error instanceof ChainProblem
        ? error.message
        : `The file cannot be read (${(error as NodeJS.ErrnoException).code}).`;
    throw new ConfigInvalid([`${variable} is not usable: ${detail}`]);
  }
}
