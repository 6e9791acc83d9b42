import type { FastifyReply } from 'fastify';

/** An answer as it is kept for repetitions of its request. */
interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Documents the header of an answer that was given before. */
export const REPLAYED_HEADER = {
  'Idempotent-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' as const, enum: ['true'] },
  },
};

/** Sends an answer exactly as it is, or was, stored. */
export function sendStored(reply: FastifyReply, { status, headers, body }: StoredAnswer, replayed: boolean): string {
  void reply.code(status).headers(headers);
  if (replayed) void reply.header('Idempotent-Replayed', 'true');
  return body;
}
