import type { FieldError } from '@constancia/problem-json';
import { callingCode, type PhoneProblem, phoneProblem } from '@constancia/reference-data';
import type { EnvelopeSignerBody } from './create-envelope-body.ts';
import type { CircuitSigner } from '../circuits/circuit.entity.ts';
import { isTextMethod } from '../circuits/text-methods.ts';
import { hasEnoughNames } from '../signer-identity/same-name.ts';

/** What is wrong with the signers of a new envelope, given the roles of its circuit. `countries`: the country codes that phones may have; empty: every country. */
export function signerErrors(
  signers: readonly EnvelopeSignerBody[],
  roles: readonly CircuitSigner[],
  countries: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  signers.forEach(({ role, access_code, name, phone }, at) => {
    const definition = roles.find((one) => one.role === role);
    if (!definition) {
      errors.push(error(`/signers/${at}/role`, 'unknown_role', `The circuit has the roles ${listed(roles)}.`));
    } else if (seen.has(role)) {
      errors.push(error(`/signers/${at}/role`, 'not_unique', 'Another signer has this role.'));
    } else {
      errors.push(...codeErrors(`/signers/${at}/access_code`, definition, access_code));
      errors.push(...nameErrors(`/signers/${at}/name`, definition, name));
      errors.push(...phoneErrors(`/signers/${at}/phone`, definition, { phone, countries }));
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

const PHONE_PROBLEMS: Record<PhoneProblem, string> = {
  not_e164: 'Write a plus sign, the country code and the number, in digits only: +573001234567.',
  no_country: 'The number belongs to no country.',
  premium: 'Codes are not sent to premium numbers.',
  not_mobile: 'A number of Colombia must be a mobile number: +57, 3 and nine more digits.',
};

function phoneErrors(
  pointer: string,
  { role, auth }: CircuitSigner,
  { phone, countries }: { phone: string | undefined; countries: readonly string[] },
): FieldError[] {
  const needed = auth.some(isTextMethod);
  if (!needed && phone !== undefined)
    return [error(pointer, 'not_allowed', `The role ${role} gets no code on a phone.`)];
  if (!needed) return [];
  if (phone === undefined)
    return [error(pointer, 'required', `The role ${role} gets a code on a phone: give its number.`)];
  const problem = phoneProblem(phone);
  if (problem !== null) return [error(pointer, problem, PHONE_PROBLEMS[problem])];
  if (countries.length === 0 || countries.includes(callingCode(phone))) return [];
  return [error(pointer, 'country_not_served', `Codes are sent to numbers of +${countries.join(', +')} only.`)];
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
