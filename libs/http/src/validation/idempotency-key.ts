import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { isUuid } from '@constancia/kernel';
import type { FieldError } from '@constancia/problem-json';
import { mark } from '../routes/route-facts.ts';
import { RefuseHeaders } from './refuse-headers.ts';

/**
 * The route takes an Idempotency-Key: optional, a UUID, bare or quoted; anything else is 400. The handler gets it through
 * IdempotencyKey; keeping and replaying the answer is its own work, in the transaction that does the rest.
 */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    mark({ idempotent: true }),
    UseGuards(new RefuseHeaders()),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'A UUID. Within 24 hours a retry with the same key gets the first answer and is not charged again.',
      schema: { type: 'string', format: 'uuid' },
    }),
  );
}

export const IDEMPOTENCY_KEY_REFUSED: FieldError = {
  pointer: '/headers/Idempotency-Key',
  code: 'wrong_format',
  detail: 'Send a UUID, bare or in double quotes.',
};

/** Reads the header's value into a lower-case UUID; null when it is none. */
export function parseIdempotencyKey(header: string | string[]): string | null {
  const text = (Array.isArray(header) ? header.join(', ') : header).trim().replace(/^"(.*)"$/, '$1');
  return isUuid(text) ? text.toLowerCase() : null;
}
