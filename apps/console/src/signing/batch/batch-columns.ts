import { SENDER } from '@constancia/contracts/field-conditions';
import type { components } from '@constancia/sdk/generated/signing';
import { hasPhone } from '../send/row.ts';

type SignerMember = 'email' | 'name' | 'phone' | 'access_code';
const OPTIONS = [
  'external_ref',
  'subject',
  'message',
  'locale',
  'expires_in_days',
  'notify',
  'reminders.after_days',
] as const;
export type BatchOption = (typeof OPTIONS)[number];

/** A column of a file with envelopes of a circuit. */
export interface BatchColumn {
  /** As the API names it: `signers.buyer.email`, `values.amount`. */
  title: string;
  /** Whether no row may leave it empty. */
  needed: boolean;
  of:
    | { kind: 'signer'; role: string; member: SignerMember }
    | { kind: 'value'; type: Circuit['fields'][number]['type']; label: string; signer: string; conditional: boolean }
    | { kind: 'option'; option: BatchOption };
}

type Circuit = Pick<components['schemas']['CircuitView'], 'signers' | 'fields'>;

/** Those that a row may need first: of the signers, then of the values of the row, then options. */
export function batchColumns({ signers, fields }: Circuit): BatchColumn[] {
  const ofSigners = signers.flatMap(({ role, auth }) => {
    const members: [member: SignerMember, needed: boolean][] = [
      ['email', true],
      ['name', auth.includes('identity')],
    ];
    if (hasPhone(auth)) members.push(['phone', true]);
    if (auth.includes('access_code')) members.push(['access_code', true]);
    return members.map(([member, needed]): BatchColumn => {
      return { title: `signers.${role}.${member}`, needed, of: { kind: 'signer', role, member } };
    });
  });
  const hasSender = !signers.some(({ role }) => role === SENDER);
  const values = fields
    .filter(({ type, required, signer }) => {
      const isOwn = hasSender && signer === SENDER;
      return type !== 'signature' && (isOwn || !(type === 'checkbox' && required)); // the signer's alone
    })
    .map(({ key, type, label, signer, required, visible_if }): BatchColumn => {
      const conditional = visible_if !== undefined;
      const needed = hasSender && signer === SENDER && required && !conditional;
      return { title: `values.${key}`, needed, of: { kind: 'value', type, label: label ?? '', signer, conditional } };
    });
  const options = OPTIONS.map((option): BatchColumn => {
    return { title: option, needed: false, of: { kind: 'option', option } };
  });
  return [...ofSigners, ...values, ...options];
}

const OF_SIGNER: Readonly<Record<Exclude<SignerMember, 'email'>, string>> = {
  name: 'Rosalba Quintero',
  phone: '+573001234567',
  access_code: '4821-73',
};
const OF_OPTION: Partial<Record<BatchOption, string>> = { external_ref: 'A-501' };

/** What a cell of a column looks like; empty: may be left so. */
export function exampleOf({ of }: BatchColumn): string {
  if (of.kind === 'option') return OF_OPTION[of.option] ?? '';
  if (of.kind === 'signer') return of.member === 'email' ? `${of.role}@firmantes.example` : OF_SIGNER[of.member];
  if (of.type === 'date') return '2027-03-31';
  if (of.type === 'checkbox') return 'true';
  if (of.type === 'initials') return 'RQ';
  return of.type === 'name' ? OF_SIGNER.name : '123';
}

/** Whether it depends on another value that the field is shown. */
const isConditional = ({ of }: BatchColumn): boolean => of.kind === 'value' && of.conditional;

/** A file of one row to begin with. The mark at its beginning lets spreadsheets read it as UTF-8. */
export function sampleFile(circuit: Circuit, separator: ',' | ';'): string {
  const columns = batchColumns(circuit).filter(({ of }) => of.kind !== 'option' || OF_OPTION[of.option] !== undefined);
  const lines = [
    columns.map(({ title }) => title),
    columns.map((column) => (isConditional(column) ? '' : exampleOf(column))),
  ];
  return `\uFEFF${lines.map((cells) => cells.join(separator)).join('\r\n')}\r\n`;
}
