import fs from 'node:fs';
import { ConfigInvalid } from '@constancia/config';
import { certificateChain, type SealingIdentity } from '@constancia/pdf-sealing';

/** Reads the configured certificate chain, if there is one. Throws ConfigInvalid. */
export function configuredChain(file: string | undefined): SealingIdentity | undefined {
  if (file === undefined) return undefined;
  try {
    return certificateChain(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = code === undefined ? message : `The file cannot be read (${code}).`;
    throw new ConfigInvalid([`SIGNING_CERTIFICATE_CHAIN_PEM is not usable: ${detail}`]);
  }
}
