import { type Actor, PRICE } from '@constancia/contracts';
import type { WorkUnit } from '@constancia/credit-ledger';
import type { EventRecord } from '@constancia/events';
import type { FieldError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { Circuit } from '../circuits/circuit.entity.ts';
import { envelopeEvent } from '../envelope-records/envelope-events.ts';
import { type GivenValues, givenValues } from '../envelope-values/given-values.ts';
import { MailRoom } from '../mails/mail-room.ts';
import type { EnvelopeOrder } from '../envelope-orders/envelope-order.ts';
import { signerErrors } from '../envelope-orders/envelope-signers.ts';
import { type NewEnvelope, NewEnvelopes } from './new-envelopes.ts';

export interface EnvelopeUnit {
  unit: WorkUnit & { writes: NonNullable<WorkUnit['writes']> };
  event: EventRecord;
  made: NewEnvelope;
}

export interface UnitFacts {
  tenantId: string;
  circuit: Circuit;
  /** Who sends it. */
  by: Actor;
  /** The address of an owner who has not verified it: mails to others wait. */
  unprovenOwner: string | null;
}

/**
 * The values of an order and its errors, except those of values on the document. `countries`: calling codes that phone numbers may have;
 * empty: every code is allowed.
 */
export function checkOrder(
  order: EnvelopeOrder,
  circuit: Circuit,
  countries: readonly string[],
): { given: GivenValues; errors: FieldError[] } {
  const { given, errors } = givenValues(circuit, order.values);
  return {
    given,
    errors: [...signerErrors(order.signers, circuit.signers, countries), ...errors, ...reminderErrors(order)],
  };
}

/** Makes the unit of work of an order that was checked. Writes nothing. */
@Injectable()
export class EnvelopeUnits {
  constructor(
    private readonly newEnvelopes: NewEnvelopes,
    private readonly room: MailRoom,
  ) {}

  /** What commits together: the envelope, its signers, their invitations, the first link of the trail, the event and the debit. */
  async of(
    { tenantId, circuit, by, unprovenOwner }: UnitFacts,
    order: EnvelopeOrder,
    given: GivenValues,
  ): Promise<EnvelopeUnit> {
    const made = await this.newEnvelopes.of(tenantId, circuit, order, { by, unprovenOwner, given });
    const { envelope, writes, sent, invited } = made;
    const event = envelopeEvent('seal.envelope.sent', { ...envelope, tenant_id: tenantId }, null);
    const room = invited.length > 0 ? [await this.room.callOf(tenantId, invited)] : [];
    const debit = { module: 'seal', refType: 'envelope', refId: envelope.id, amount: PRICE.envelope } as const;
    return { unit: { tenantId, writes, calls: [...room, sent], debit, events: [event] }, event, made };
  }
}

/** Reminders are mails: without mails by this service there are none. */
function reminderErrors({ reminders, notify }: EnvelopeOrder): FieldError[] {
  if (reminders === undefined || notify !== false) return [];
  return [{ pointer: '/reminders', code: 'not_allowed', detail: 'With notify: false signers are not reminded.' }];
}
