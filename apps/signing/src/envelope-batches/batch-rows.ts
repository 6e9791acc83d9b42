import type { BatchType, CheckedRow, RowReader } from '@constancia/batches';
import { checked, METADATA } from '@constancia/http';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import { OmitType } from '@nestjs/swagger';
import type { Circuit } from '../circuits/circuit.entity.ts';
import { CreateEnvelopeBody } from '../envelope-orders/create-envelope-body.ts';
import type { EnvelopeOrder } from '../envelope-orders/envelope-order.ts';
import { checkOrder } from '../envelopes/envelope-units.ts';

/** A line of an NDJSON file: an envelope of which the batch names the circuit. */
export class EnvelopeLineBody extends OmitType(CreateEnvelopeBody, ['circuit_id']) {}

/** Members of the same name; an empty cell is a member that is left out. */
const OPTIONS = ['external_ref', 'subject', 'message', 'locale', 'expires_in_days', 'notify'] as const;
const REMINDERS = ['after_days', 'every_days', 'most'] as const;
const SIGNER = ['email', 'name', 'phone', 'access_code'] as const;

/** Columns of a CSV file as the documentation writes them. */
export const COLUMN_FORMS = [
  ...SIGNER.map((member) => `signers.<role>.${member}`),
  'values.<field>',
  ...OPTIONS,
  ...REMINDERS.map((member) => `reminders.${member}`),
  'metadata.<name>',
];

const INTEGER = /^\d{1,9}$/;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };
const METADATA_COLUMN = /^metadata\.(.+)$/;

export interface OrderLimits {
  /** Calling codes that phone numbers may have. Empty: every code is allowed. */
  countries: readonly string[];
  /** Invitations and reminders that an address gets in 24 hours. */
  mailsPerAddress: number;
}

/** The rows of batches of a circuit. One for each file: it counts the invitations of each address. */
export class OrderReader implements RowReader<EnvelopeOrder> {
  readonly knownColumns: readonly string[];
  readonly requiredColumns: readonly string[];
  private readonly known: ReadonlySet<string>;
  private readonly invited = new Map<string, number>();

  constructor(
    private readonly circuit: Circuit,
    private readonly type: BatchType,
    private readonly limits: OrderLimits,
  ) {
    const columns = [
      ...circuit.signers.flatMap(({ role }) => SIGNER.map((member) => `signers.${role}.${member}`)),
      ...circuit.fields.filter(({ type }) => type !== 'signature').map(({ key }) => `values.${key}`),
      ...OPTIONS,
      ...REMINDERS.map((member) => `reminders.${member}`),
    ];
    this.known = new Set(columns);
    this.knownColumns = [...columns, 'metadata.<name>'];
    this.requiredColumns = circuit.signers.map(({ role }) => `signers.${role}.email`);
  }

  readonly columnOf = (cell: string): string => cell;

  readonly isKnown = (column: string): boolean => {
    const name = METADATA_COLUMN.exec(column)?.[1];
    return this.known.has(column) || (name !== undefined && name.length <= METADATA.nameLength);
  };

  readonly ofCells = (columns: readonly string[], cells: readonly string[], row: string): CheckedRow<EnvelopeOrder> => {
    const filled = columns
      .map((column, nth) => [column, cells[nth]?.trim() ?? ''] as const)
      .filter(([, cell]) => cell !== '');
    return this.ofValue(this.bodyOf(new Map(filled)), row);
  };

  readonly ofValue = (value: unknown, row: string): CheckedRow<EnvelopeOrder> => {
    try {
      const order: EnvelopeOrder = checked(value, EnvelopeLineBody, '');
      const { errors } = checkOrder(order, this.circuit, this.limits.countries);
      if (errors.length === 0) errors.push(...this.crowdedAddresses(order));
      return errors.length > 0 ? { errors: this.at(row, errors) } : { subject: order };
    } catch (error) {
      if (error instanceof ValidationError) return { errors: this.at(row, error.errors) };
      throw error;
    }
  };

  /** Errors of a row with pointers into the file: of CSV to its column, `/rows/3/signers.buyer.email`. */
  at(row: string, errors: readonly FieldError[]): FieldError[] {
    return errors.map((error) => ({ ...error, pointer: `${row}${this.inFile(error.pointer)}` }));
  }

  private inFile(pointer: string): string {
    if (this.type !== 'text/csv' || pointer === '') return pointer;
    const [first, second, ...rest] = pointer.slice(1).split('/');
    const role = first === 'signers' ? this.circuit.signers[Number(second)]?.role : undefined;
    return `/${[first, role ?? second, ...rest].filter((part) => part !== undefined).join('.')}`;
  }

  /** Signers stand in the order of the circuit, so that a pointer names their column. */
  private bodyOf(cells: ReadonlyMap<string, string>): object {
    const cell = (column: string) => cells.get(column);
    const members = (prefix: string, names: readonly string[], read = (name: string) => cell(`${prefix}${name}`)) =>
      Object.fromEntries(names.map((name) => [name, read(name)]).filter(([, value]) => value !== undefined)) as object;
    const signers = this.circuit.signers.map(({ role }) => ({ role, ...members(`signers.${role}.`, SIGNER) }));
    const fields = this.circuit.fields.map(({ key }) => key);
    const isBox = (key: string) => this.circuit.fields.some((field) => field.key === key && field.type === 'checkbox');
    const values = members('values.', fields, (key) => {
      const text = cell(`values.${key}`);
      return (isBox(key) ? booleanOf(text) : text) as string | undefined;
    });
    const reminders = members('reminders.', REMINDERS, (name) => numberOf(cell(`reminders.${name}`)) as string);
    const metadata = Object.fromEntries(
      [...cells].flatMap(([column, text]) => {
        const name = METADATA_COLUMN.exec(column)?.[1];
        return name === undefined ? [] : [[name, text]];
      }),
    ) as object;
    const options = members('', OPTIONS, (name) => {
      const text = cell(name);
      if (name === 'notify') return booleanOf(text) as string;
      return (name === 'expires_in_days' ? numberOf(text) : text) as string;
    });
    return { signers, ...options, ...given({ values, reminders, metadata }) };
  }

  /** Addresses that would be invited at once more often than an address may be. */
  private crowdedAddresses({ signers, notify }: EnvelopeOrder): FieldError[] {
    if (notify === false) return [];
    const { mailsPerAddress } = this.limits;
    const first = Math.min(...this.circuit.signers.map(({ order }) => order));
    const errors: FieldError[] = [];
    signers.forEach(({ role, email }, nth) => {
      if (this.circuit.signers.find((signer) => signer.role === role)?.order !== first) return;
      const address = email.toLowerCase();
      const count = (this.invited.get(address) ?? 0) + 1;
      this.invited.set(address, count);
      if (count > mailsPerAddress) {
        const detail = `One address gets at most ${mailsPerAddress} invitations in 24 hours, and this is one more.`;
        errors.push({ pointer: `/signers/${nth}/email`, code: 'too_many', detail });
      }
    });
    return errors;
  }
}

/** Anything else stays a text, which the checks refuse. */
const numberOf = (text: string | undefined) => (text !== undefined && INTEGER.test(text) ? Number(text) : text);
const booleanOf = (text: string | undefined) => (text === undefined ? undefined : (BOOLEANS[text] ?? text));

const given = (members: Record<string, object>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(value).length > 0));
