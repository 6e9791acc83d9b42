import { type SignerMark, type SignerPerson, type SignerValues, SIGNING_CONTEXT } from '@constancia/contracts';
import type { SubjectKey, TenantKeyring } from '@constancia/personal-data';
import type { SealedSigner, SignerColumns, SignerRow } from './envelope-rows.ts';

/** SQL of the key of a row `s` of envelope_signer. */
export const SIGNER_KEY = `(select k.wrapped_key from signing.subject_key k
  where k.tenant_id = s.tenant_id and k.id = s.id) as signer_key`;

type Clear = Pick<
  SignerRow,
  | 'id' | 'email' | 'phone' | 'name' | 'person_salt' | 'decline_reason' | 'signature_text' | 'signature_image' | 'field_values'
>; // prettier-ignore

/** A row as it is stored, or some columns of it. */
export type Stored<Row> = Omit<Row, 'key' | 'phone'> &
  Partial<SealedSigner> & { id: string; signer_key: Buffer | null };

/** A row with its sealed data opened, as far as the columns were read, and its key. */
export function openSigner<Row extends { key: SubjectKey | null }>(keyring: TenantKeyring, stored: Stored<Row>): Row {
  const { sealed_person, sealed_prefill: _, sealed_values, sealed_mark, email_index: __, signer_key, ...row } = stored;
  if (!sealed_person) return { ...row, phone: null, key: null } as unknown as Row;
  const key = signerKey(keyring, row.id, signer_key);
  return {
    ...row,
    ...openPerson(key, row.id, sealed_person),
    ...(sealed_values && { field_values: openValues(key, row.id, sealed_values) }),
    ...(sealed_mark && openMark(key, row.id, sealed_mark)),
    key,
  } as unknown as Row;
}

export function signerKey(keyring: TenantKeyring, id: string, wrapped: Buffer | null): SubjectKey {
  if (wrapped === null) throw new Error('the key of sealed data of a signer was destroyed');
  return keyring.subject(id, wrapped);
}

export function openPerson(
  key: SubjectKey,
  id: string,
  sealed: Buffer,
): Pick<Clear, 'email' | 'phone' | 'name' | 'person_salt' | 'decline_reason'> {
  const { person_salt, phone = null, ...person } = key.open<SignerPerson>(SIGNING_CONTEXT.person(id), sealed);
  return { ...person, phone, person_salt: person_salt === null ? null : Buffer.from(person_salt, 'hex') };
}

export function openValues(key: SubjectKey, id: string, sealed: Buffer): SignerValues {
  return key.open<SignerValues>(SIGNING_CONTEXT.values(id), sealed);
}

function openMark(key: SubjectKey, id: string, sealed: Buffer): Pick<Clear, 'signature_text' | 'signature_image'> {
  const { text, image } = key.open<SignerMark>(SIGNING_CONTEXT.mark(id), sealed);
  return { signature_text: text, signature_image: image === null ? null : Buffer.from(image, 'base64') };
}

const PERSON = ['email', 'phone', 'name', 'person_salt', 'decline_reason'] as const;
const MARK = ['signature_text', 'signature_image'] as const;
const has = (columns: object, members: readonly string[]) => members.some((member) => member in columns);

/** Columns of a change of a sealed row: personal data is sealed, each part as a whole. */
export function sealedChange(key: SubjectKey, signer: SignerRow, columns: SignerColumns): Record<string, unknown> {
  const clear = Object.entries(columns).filter(([name]) => !has({ [name]: 0 }, [...PERSON, ...MARK, 'field_values']));
  const after = { ...signer, ...columns };
  return {
    ...Object.fromEntries(clear),
    ...(has(columns, PERSON) && { sealed_person: sealPerson(key, after) }),
    ...('field_values' in columns && { sealed_values: sealValues(key, after) }),
    ...(has(columns, MARK) && { sealed_mark: sealMark(key, after) }),
  };
}

/** All personal data of a row sealed, and the values that its columns in the clear have then. */
export function sealSigner(
  keyring: TenantKeyring,
  key: SubjectKey,
  signer: Omit<Clear, 'phone'>,
): Record<string, unknown> {
  return {
    ...sealNewSigner(keyring, key, signer),
    decline_reason: null,
    signature_text: null,
    signature_image: null,
    field_values: {},
    sealed_values: sealValues(key, signer),
    sealed_mark: sealMark(key, signer),
  };
}

/** The same of a signer who has given nothing yet. */
export function sealNewSigner(
  keyring: TenantKeyring,
  key: SubjectKey,
  signer: Pick<Clear, 'id' | 'email' | 'name' | 'person_salt'> & {
    phone?: string | null;
    decline_reason?: string | null;
  },
) {
  return {
    email: '',
    name: null,
    person_salt: null,
    sealed_person: sealPerson(key, { phone: null, decline_reason: null, ...signer }),
    email_index: emailIndex(keyring, signer.email),
  };
}

/** What a signer is found by: in capital letters or not. */
export function emailIndex(keyring: TenantKeyring, email: string): Buffer {
  return keyring.blindIndex('email', email.toLowerCase());
}

function sealPerson(
  key: SubjectKey,
  { id, email, phone, name, person_salt, decline_reason }: Pick<Clear, 'id' | (typeof PERSON)[number]>,
): Buffer {
  const salt = person_salt?.toString('hex') ?? null;
  const person: SignerPerson = { email, name, person_salt: salt, decline_reason, ...(phone && { phone }) };
  return key.seal(SIGNING_CONTEXT.person(id), person);
}

function sealValues(key: SubjectKey, { id, field_values }: Pick<Clear, 'id' | 'field_values'>): Buffer | null {
  if (Object.keys(field_values).length === 0) return null;
  return key.seal(SIGNING_CONTEXT.values(id), field_values satisfies SignerValues);
}

function sealMark(key: SubjectKey, { id, signature_text, signature_image }: Pick<Clear, 'id' | (typeof MARK)[number]>) {
  if (signature_text === null && signature_image === null) return null;
  const mark: SignerMark = { text: signature_text, image: signature_image?.toString('base64') ?? null };
  return key.seal(SIGNING_CONTEXT.mark(id), mark);
}
