import type { components } from '@constancia/sdk/generated/signing';
import { linesIn } from './lines-in.ts';

type Circuit = components['schemas']['CircuitView'];
export type EnvelopeSigner = components['schemas']['EnvelopeSignerBody'];

export type RowFault = 'email' | 'name' | 'longName' | 'accessCode' | 'subject' | 'twice';

/** One envelope that is to be sent. */
export interface Recipients {
  /** Of the file: the titles are line 1. */
  line: number;
  /** As they were written. */
  cells: readonly string[];
  signers: EnvelopeSigner[];
  subject: string;
  faults: RowFault[];
}

export interface ReadTable {
  titles: readonly string[];
  rows: Recipients[];
  missing: string[];
}

export const MOST_ROWS = 500;
const LONGEST = { email: 254, name: 120, subject: 150 } as const;
const CODE_LENGTHS = [4, 64] as const;

interface Column {
  title: string;
  role: string;
  member: 'email' | 'name' | 'access_code';
  needed: boolean;
}

/** The columns for the signers of a circuit: `email`, `name`; with several of them `buyer_email`, `seller_email` and so on. */
export function columnsOf({ signers }: Pick<Circuit, 'signers'>): Column[] {
  return signers.flatMap(({ role, auth }) => {
    const titleOf = (member: string): string => (signers.length === 1 ? member : `${role}_${member}`);
    const columns: Column[] = [
      { title: titleOf('email'), role, member: 'email', needed: true },
      { title: titleOf('name'), role, member: 'name', needed: auth.includes('identity') },
    ];
    if (auth.includes('access_code'))
      columns.push({ title: titleOf('access_code'), role, member: 'access_code', needed: true });
    return columns;
  });
}

/** What a table says, with everything that is wrong with each of its rows. */
export function tableIn(text: string, circuit: Pick<Circuit, 'signers'>): ReadTable {
  const [titles = [], ...lines] = linesIn(text);
  const known = titles.map((title) => title.trim().toLowerCase());
  const columns = columnsOf(circuit);
  const missing = columns.filter(({ title, needed }) => needed && !known.includes(title)).map(({ title }) => title);
  if (missing.length > 0) return { titles, rows: [], missing };
  const seen = new Set<string>();
  const rows = lines.map((cells, index) => {
    const valueOf = (title: string): string => (cells[known.indexOf(title)] ?? '').trim();
    const signers = signersOf(columns, valueOf);
    const subject = valueOf('subject');
    const faults = faultsOf(circuit, signers, subject);
    const content = JSON.stringify([signers, subject]);
    if (seen.has(content)) faults.push('twice');
    seen.add(content);
    return { line: index + 2, cells, signers, subject, faults };
  });
  return { titles, rows, missing };
}

function signersOf(columns: readonly Column[], valueOf: (title: string) => string): EnvelopeSigner[] {
  const signers = new Map<string, EnvelopeSigner>();
  for (const { title, role, member } of columns) {
    const signer = signers.get(role) ?? { role, email: '' };
    const value = valueOf(title);
    if (value !== '' || member === 'email') signer[member] = value;
    signers.set(role, signer);
  }
  return [...signers.values()];
}

/** What the API would refuse in one envelope. */
export function faultsOf(
  { signers: parts }: Pick<Circuit, 'signers'>,
  signers: readonly EnvelopeSigner[],
  subject: string,
): RowFault[] {
  const faults = new Set<RowFault>();
  for (const { role, email, name = '', access_code: code = '' } of signers) {
    const auth = parts.find((part) => part.role === role)?.auth ?? [];
    if (!isEmail(email)) faults.add('email');
    if (name.length > LONGEST.name) faults.add('longName');
    if (auth.includes('identity') && name.trim().split(/\s/).filter(Boolean).length < 2) faults.add('name');
    const [shortest, longest] = CODE_LENGTHS;
    if (auth.includes('access_code') && (code.length < shortest || code.length > longest)) faults.add('accessCode');
  }
  if (subject.length > LONGEST.subject) faults.add('subject');
  return [...faults];
}

/** Whether it looks like one; the API decides. */
function isEmail(text: string): boolean {
  const [local, domain, ...more] = text.split('@');
  return Boolean(local) && domain !== undefined && domain.includes('.') && more.length === 0 && !/\s/.test(text)
    && text.length <= LONGEST.email; // prettier-ignore
}
