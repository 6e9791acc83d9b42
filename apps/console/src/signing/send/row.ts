import { phoneProblem } from '@constancia/reference-data/phone-numbers';
import type { components } from '@constancia/sdk/generated/signing';
import { phoneOf } from './phone.ts';

type Circuit = Pick<components['schemas']['CircuitView'], 'signers'>;
export type EnvelopeSigner = components['schemas']['EnvelopeSignerBody'];

export type RowFault = 'email' | 'phone' | 'name' | 'longName' | 'accessCode' | 'subject' | 'twice' | 'cells';

const LONGEST = { email: 254, name: 120, subject: 150 } as const;
const CODE_LENGTHS = [4, 64] as const;

interface Column {
  title: string;
  role: string;
  member: 'email' | 'phone' | 'name' | 'access_code';
  needed: boolean;
}

/** Whether codes go to the phone of a signer. */
export const hasPhone = (auth: readonly string[]): boolean => auth.includes('otp_sms') || auth.includes('otp_whatsapp');

/** The columns for the signers of a circuit: `email`, `name`; with several of them `buyer_email`, `seller_email` and so on. */
export function columnsOf({ signers }: Circuit): Column[] {
  return signers.flatMap(({ role, auth }) => {
    const titleOf = (member: string): string => (signers.length === 1 ? member : `${role}_${member}`);
    const columns: Column[] = [
      { title: titleOf('email'), role, member: 'email', needed: true },
      ...(hasPhone(auth) ? [{ title: titleOf('phone'), role, member: 'phone', needed: true } as const] : []),
      { title: titleOf('name'), role, member: 'name', needed: auth.includes('identity') },
    ];
    if (auth.includes('access_code'))
      columns.push({ title: titleOf('access_code'), role, member: 'access_code', needed: true });
    return columns;
  });
}

export function signersOf(circuit: Circuit, valueOf: (title: string) => string): EnvelopeSigner[] {
  const signers = new Map<string, EnvelopeSigner>();
  for (const { title, role, member } of columnsOf(circuit)) {
    const signer = signers.get(role) ?? { role, email: '' };
    const value = valueOf(title);
    if (value !== '' || member === 'email') signer[member] = member === 'phone' ? phoneOf(value) : value;
    signers.set(role, signer);
  }
  return [...signers.values()];
}

/** What the API would refuse in one envelope. */
export function faultsOf({ signers: parts }: Circuit, signers: readonly EnvelopeSigner[], subject: string): RowFault[] {
  const faults = signers.flatMap((signer) =>
    faultsOfSigner(signer, parts.find(({ role }) => role === signer.role)?.auth ?? []),
  );
  if (subject.length > LONGEST.subject) faults.push('subject');
  return [...new Set(faults)];
}

function faultsOfSigner(
  { email, phone = '', name = '', access_code: code = '' }: EnvelopeSigner,
  auth: readonly string[],
): RowFault[] {
  const [shortest, longest] = CODE_LENGTHS;
  const found: Partial<Record<RowFault, boolean>> = {
    email: !isEmail(email),
    phone: hasPhone(auth) && phoneProblem(phone) !== null,
    longName: name.length > LONGEST.name,
    name: auth.includes('identity') && name.trim().split(/\s/).filter(Boolean).length < 2,
    accessCode: auth.includes('access_code') && (code.length < shortest || code.length > longest),
  };
  return (Object.keys(found) as RowFault[]).filter((fault) => found[fault]);
}

/** Whether it looks like one; the API decides. */
function isEmail(text: string): boolean {
  const [local, domain, ...more] = text.split('@');
  return Boolean(local) && domain !== undefined && domain.includes('.') && more.length === 0 && !/\s/.test(text)
    && text.length <= LONGEST.email; // prettier-ignore
}
