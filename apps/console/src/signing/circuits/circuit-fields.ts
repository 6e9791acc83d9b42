import { SENDER } from '@constancia/contracts/field-conditions';
import { canonicalJson } from '@constancia/kernel/canonical-json';
import type { components } from '@constancia/sdk/generated/signing';
import { type Box, freeKey, type Limits, type Placed } from '../editor/placed.ts';
import type { Sample } from '../editor/preview.tsx';
import { newId } from '../editor/use-fields.ts';

export type CircuitRow = components['schemas']['CircuitView'];
export type CircuitSigner = components['schemas']['CircuitSignerView'];
export type FieldType = components['schemas']['CircuitFieldView']['type'];
export type AuthMethod = components['schemas']['AuthMethod'];
export type Definition = components['schemas']['DefinitionBody'];

/** What a signer fills in on the document. */
export interface CircuitField extends Placed {
  type: FieldType;
  /** A role of the circuit. */
  signer: string;
  required: boolean;
  label: string;
  /** A prefilled value cannot be changed by the signer. */
  locked?: boolean;
  visible_if?: { field: string; equals: string | boolean };
}

export const CIRCUIT_LIMITS: Limits = { width: [6, 14_400], height: [6, 14_400] };
export const FIELD_TYPES = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'] as const;
/** What the sender can fill in. */
export const SENDER_TYPES: readonly FieldType[] = ['name', 'date', 'text', 'checkbox'];
export const AUTH_METHODS = ['otp_email', 'otp_sms', 'otp_whatsapp', 'access_code', 'identity'] as const;

/** Points, as the API fills them in. */
const USUAL: Record<FieldType, { width: number; height: number }> = {
  signature: { width: 180, height: 48 },
  initials: { width: 60, height: 32 },
  name: { width: 180, height: 18 },
  text: { width: 180, height: 18 },
  date: { width: 90, height: 18 },
  checkbox: { width: 14, height: 14 },
};

interface NewField {
  type: FieldType;
  signer: string;
  /** Of keys of this type, in the reader's language. */
  stem: string;
}

export const circuitFieldAt = (
  { type, signer, stem }: NewField,
  box: Pick<Box, 'page' | 'x' | 'y'> & Partial<Box>,
  fields: readonly CircuitField[],
): CircuitField => ({
  ...USUAL[type],
  ...box,
  id: newId(),
  key: freeKey(`${stem}_${signer}`.slice(0, 60), fields),
  type,
  signer,
  required: true,
  label: '',
});

/** A signer while a draft is edited. */
export interface DraftSigner extends CircuitSigner {
  /** Of this page of the console alone: roles change while they are written. */
  id: string;
  /** The role as it is written; it applies once it is valid. */
  typed: string;
}

export const draftSignersOf = ({ signers }: Pick<CircuitRow, 'signers'>): DraftSigner[] =>
  signers.map((signer) => ({ ...signer, id: newId(), typed: signer.role }));

/** The API names the flow of a signer whose identity is verified; the others stay as they are. */
export const withFlowsOf = (saved: readonly CircuitSigner[], signers: readonly DraftSigner[]): DraftSigner[] =>
  signers.map((signer) => ({ ...saved.find(({ role }) => role === signer.role), ...signer }));

export const circuitFieldsOf = ({ fields }: Pick<CircuitRow, 'fields'>): CircuitField[] =>
  fields.map((field) => ({ ...field, id: newId(), label: field.label ?? '' }));

/** What is sent, and what two editors compare. */
export const definitionOf = (
  signers: readonly CircuitSigner[],
  fields: readonly CircuitField[],
  { document_access, attach_document }: Pick<CircuitRow, 'document_access' | 'attach_document'>,
): Definition => ({
  signers: signers.map(({ role, auth, order, identity_flow }) => {
    return { role, auth, order, ...(auth.includes('identity') && identity_flow !== undefined && { identity_flow }) };
  }),
  fields: fields.map(({ id: _, label, locked, visible_if, ...field }) => ({
    ...field,
    ...(locked === true && field.signer !== SENDER && { locked }),
    ...(visible_if !== undefined && { visible_if }),
    ...(label.trim() !== '' && { label: label.trim() }),
  })),
  document_access,
  attach_document,
});

export const isSameDefinition = (one: Definition, other: Definition): boolean => textOf(one) === textOf(other);

const textOf = ({ signers, fields, document_access, attach_document = false }: Definition): string =>
  canonicalJson({ signers, fields, document_access, attach_document });

/** The fields that a condition of this one may rest on: filled in before it, or by the same signer. */
export function sourcesOf(
  field: CircuitField,
  fields: readonly CircuitField[],
  signers: readonly CircuitSigner[],
): CircuitField[] {
  const orderOf = (role: string): number =>
    role === SENDER ? 0 : (signers.find((signer) => signer.role === role)?.order ?? Infinity);
  return fields.filter(
    ({ id, type, signer }) =>
      id !== field.id && type !== 'signature' && (signer === field.signer || orderOf(signer) < orderOf(field.signer)),
  );
}

/** Points: text is drawn no larger, and a signature a little larger. */
const TEXT_SIZE = 12;
const HAND_SIZE = 26;
/** A checkbox shows its label when it is so many times as wide as high (field-drawings.ts of pdf-sealing). */
const ROOM_FOR_LABEL = 3;

export function circuitSample(
  { type, width, height, label }: CircuitField,
  samples: Record<FieldType, string>,
): Sample {
  const hand = type === 'signature' || type === 'initials';
  const size = hand ? Math.min(height * 0.55, HAND_SIZE) : Math.min(height * 0.68, TEXT_SIZE);
  const labelled = type === 'checkbox' && label !== '' && width >= ROOM_FOR_LABEL * height;
  const text = labelled ? `${samples.checkbox} ${label}` : samples[type];
  return { text, size, hand };
}

const ROLE = /^[a-z0-9_-]{1,32}$/;
const LAST_ORDER = 1_000;

/** A role as it is typed: small letters without accents, hyphens for spaces. Other signs stay, and are an error. */
export const roleIn = (typed: string): string =>
  typed.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s/g, '-');

export const isRole = (text: string): boolean => ROLE.test(text);

/** Whether the API accepts these signers. */
export const signersAreValid = (signers: readonly CircuitSigner[]): boolean =>
  new Set(signers.map(({ role }) => role)).size === signers.length &&
  signers.every(
    ({ role, order, auth }) =>
      ROLE.test(role) && Number.isInteger(order) && order >= 1 && order <= LAST_ORDER && auth.length > 0,
  );

/** Whether a saved draft has what publishing asks for first: a PDF, signers, and a signature of each. */
export const looksComplete = ({
  base_pdf_sha256,
  signers,
  fields,
}: Pick<CircuitRow, 'base_pdf_sha256' | 'signers' | 'fields'>): boolean =>
  base_pdf_sha256 !== null &&
  signers.length > 0 &&
  signers.every(({ role }) =>
    fields.some(({ signer, type, visible_if }) => signer === role && type === 'signature' && !visible_if),
  );
