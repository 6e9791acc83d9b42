import type { FieldError } from '@constancia/problem-json';
import type { EnvelopeSignerBody } from './create-envelope-body.ts';
import type { CircuitSigner } from '../circuits/circuit.entity.ts';
import { hasEnoughNames } from '../signer-identity/same-name.ts';

/** What is wrong with the signers of a new envelope, given the roles of its circuit. */
export function signerErrors(signers: readonly EnvelopeSignerBody[], roles: readonly CircuitSigner[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  signers.forEach(({ role, access_code, name }, at) => {
    const definition = roles.find((one) => one.role === role);
    if (!definition) {
      errors.push(error(`/signers/${at}/role`, 'unknown_role', `The circuit has the roles ${listed(roles)}.`));
    } else if (seen.has(role)) {
      errors.push(error(`/signers/${at}/role`, 'not_unique', 'Another signer has this role.'));
    } else {
      errors.push(...codeErrors(`/signers/${at}/access_code`, definition, access_code));
      errors.push(...nameErrors(`/signers/${at}/name`, definition, name));
    }
    seen.add(role);
  });
  const missing = roles.filter(({ role }) => !seen.has(role));
  if (missing.length > 0) {
    errors.push(error('/signers', 'missing_role', `Add a signer for each of the roles ${listed(missing)}.`));
  }
  return errors;
}

function codeErrors(pointer: string, { role, auth }: CircuitSigner, code: string | undefined): FieldError[] {
  const needed = auth.includes('access_code');
  if (needed && code === undefined) return [error(pointer, 'required', `The role ${role} needs an access code.`)];
  if (!needed && code !== undefined) {
    return [error(pointer, 'not_allowed', `The role ${role} is not authenticated by an access code.`)];
  }
  return [];
}

/** The name is compared with that of a document: one that no document can match is refused. */
function nameErrors(pointer: string, { role, auth }: CircuitSigner, name: string | undefined): FieldError[] {
  if (!auth.includes('identity')) return [];
  const why = `The role ${role} proves an identity.`;
  if (name === undefined) return [error(pointer, 'required', `${why} Give the name that its document must have.`)];
  if (hasEnoughNames(name)) return [];
  return [error(pointer, 'wrong_format', `${why} Give a given name and a surname, as on its document.`)];
}

function listed(roles: readonly CircuitSigner[]): string {
  return roles.map(({ role }) => role).join(', ');
}

function error(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail };
}
