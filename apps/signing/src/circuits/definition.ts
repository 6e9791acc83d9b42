import { type FieldCondition, SENDER } from '@constancia/contracts';
import { checked } from '@constancia/http';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { CircuitField, CircuitSigner, Circuit, FieldType } from './circuit.entity.ts';
import {
  type CircuitFieldBody,
  type CircuitSignerBody,
  DEFAULT_FLOW,
  DefinitionBody,
  type FieldConditionBody,
} from './definition-body.ts';

/** What a definition says of a circuit. */
export type Definition = Pick<Circuit, 'signers' | 'fields' | 'document_access' | 'attach_document'>;

/** Points. */
const DEFAULT_BOX: Record<FieldType, { width: number; height: number }> = {
  signature: { width: 180, height: 48 },
  initials: { width: 60, height: 32 },
  name: { width: 180, height: 18 },
  text: { width: 180, height: 18 },
  date: { width: 90, height: 18 },
  checkbox: { width: 14, height: 14 },
};

/** Reads the body of a definition. Throws ValidationError with everything that is wrong, in its members and between them. */
export function definitionOf(body: unknown): Definition {
  let read: DefinitionBody | undefined;
  const errors: FieldError[] = [];
  try {
    read = checked(body as object, DefinitionBody, '');
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    errors.push(...error.errors);
  }
  const reported = new Set(errors.map(({ pointer }) => pointer));
  errors.push(...contradictions(body).filter(({ pointer }) => !reported.has(pointer)));
  if (errors.length > 0 || !read) throw new ValidationError(errors);
  return {
    signers: read.signers.map(signerOf),
    fields: read.fields.map(fieldOf),
    document_access: read.document_access ?? 'link',
    attach_document: read.attach_document ?? false,
  };
}

function signerOf({ role, auth, order, identity_flow }: CircuitSignerBody): CircuitSigner {
  const flow = auth.includes('identity') ? { ...DEFAULT_FLOW, ...identity_flow } : undefined;
  return { role, auth, order, ...(flow && { identity_flow: flow }) };
}

function fieldOf(field: CircuitFieldBody): CircuitField {
  const { key, page, x, y, type, signer, label, visible_if } = field;
  const { width = DEFAULT_BOX[type].width, height = DEFAULT_BOX[type].height, required = true } = field;
  return {
    ...{ key, page, x, y, width, height, type, signer, required },
    ...(field.locked === true && { locked: true }),
    ...(visible_if && { visible_if: conditionOf(visible_if) }),
    ...(label !== undefined && { label }),
  };
}

/** Texts as values are kept: in NFC, without spaces around. */
function conditionOf({ field, equals }: FieldConditionBody): FieldCondition {
  return { field, equals: typeof equals === 'string' ? equals.normalize('NFC').trim() : equals };
}

/** What is wrong between the members, as far as they can be read. */
function contradictions(body: unknown): FieldError[] {
  const roles = textsAt(body, 'signers', 'role');
  const known = new Set([...roles.values(), SENDER]);
  const unknown = [...textsAt(body, 'fields', 'signer')].filter(([, role]) => !known.has(role));
  return [
    ...repetitions(roles).map((pointer) => error(pointer, 'not_unique', 'Another signer has this role.')),
    ...[...roles]
      .filter(([, role]) => role === SENDER)
      .map(([pointer]) => error(pointer, 'reserved', 'The sender is no signer: give its fields the signer sender.')),
    ...senderFaults(body),
    ...attachmentFaults(body),
    ...repetitions(textsAt(body, 'fields', 'key')).map((pointer) =>
      error(pointer, 'not_unique', 'Another field has this key.'),
    ),
    ...unknown.map(([pointer]) => error(pointer, 'unknown_role', 'No signer of the definition has this role.')),
    ...unusedFlows(body).map((pointer) => error(pointer, 'not_allowed', 'The role is not authenticated by identity.')),
  ];
}

/** A mail shows the document to everyone who reads the mailbox. */
function attachmentFaults(body: unknown): FieldError[] {
  const { attach_document, document_access } = (body ?? {}) as Record<string, unknown>;
  if (attach_document !== true || document_access !== 'authenticated') return [];
  return [error('/attach_document', 'not_allowed', 'The document is shown to authenticated signers only.')];
}

const SENDER_TYPES = new Set<unknown>(['text', 'name', 'date', 'checkbox']);

/** The sender signs nothing, and nobody changes what the sender filled in. */
function senderFaults(body: unknown): FieldError[] {
  return itemsOf(body, 'fields').flatMap((field, index) => {
    if (field?.signer !== SENDER) return [];
    const at = `/fields/${index}`;
    return [
      ...(SENDER_TYPES.has(field.type)
        ? []
        : [error(`${at}/type`, 'not_allowed', 'The sender fills in text, name, date and checkbox.')]),
      ...(field.locked === true
        ? [error(`${at}/locked`, 'not_allowed', 'Fields of the sender are never changed.')]
        : []),
    ];
  });
}

/** Flows that nobody would go through. */
function unusedFlows(body: unknown): string[] {
  return itemsOf(body, 'signers').flatMap((signer, index) => {
    const unused =
      signer?.identity_flow !== undefined && Array.isArray(signer.auth) && !signer.auth.includes('identity');
    return unused ? [`/signers/${index}/identity_flow`] : [];
  });
}

/** The texts of one member of the items of a list, by their pointers. */
function textsAt(body: unknown, list: string, member: string): Map<string, string> {
  const found = new Map<string, string>();
  itemsOf(body, list).forEach((item, index) => {
    const text = item?.[member];
    if (typeof text === 'string') found.set(`/${list}/${index}/${member}`, text);
  });
  return found;
}

function itemsOf(body: unknown, list: string): (Record<string, unknown> | null | undefined)[] {
  const items: unknown = (body as Record<string, unknown> | null)?.[list];
  return Array.isArray(items) ? items : [];
}

function repetitions(texts: Map<string, string>): string[] {
  const seen = new Set<string>();
  return [...texts].filter(([, text]) => seen.size === seen.add(text).size).map(([pointer]) => pointer);
}

function error(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail };
}
