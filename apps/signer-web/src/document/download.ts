import { Unreachable } from '@constancia/web';
import { failureIn } from '../api/failures.ts';

export interface Progress {
  received: number;
  /** null when the server does not say. */
  total: number | null;
}

/** The bytes of a document, reported piece by piece as they arrive. Rejects with Refused or Unreachable. */
export async function download(
  request: (init: RequestInit) => Promise<Response>,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Uint8Array> {
  const response = await request({ signal }).catch(() => {
    throw new Unreachable('no answer');
  });
  if (!response.ok || response.body === null) throw await failureIn(response);
  const length = Number(response.headers.get('Content-Length') ?? 0);
  // Of a compressed answer the length counts other bytes than those that arrive here.
  const total = length > 0 && response.headers.get('Content-Encoding') === null ? length : null;
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let received = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Unreachable('cut off');
    });
    if (done) break;
    pieces.push(value);
    received += value.length;
    onProgress({ received, total });
  }
  if (total !== null && received < total) throw new Unreachable('cut off');
  return joined(pieces, received);
}

function joined(pieces: Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
