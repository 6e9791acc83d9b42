import { randomUUID } from 'node:crypto';
import { pagesPdf } from '../../../../libs/pdf-sealing/src/made-pdf.fixture.ts';
import { minimalPdf, type RunningSigning } from '../running-signing.fixture.ts';
import type { CircuitView } from './circuit-view.ts';

/** Two signers, one after the other, each with a signature and something more. */
export const DEFINITION = {
  signers: [
    { role: 'seller', auth: ['otp_email'], order: 2 },
    { role: 'buyer', auth: ['otp_email'], order: 1 },
  ],
  fields: [
    { key: 'buyer_signature', page: 1, x: 72, y: 120, type: 'signature', signer: 'buyer' },
    { key: 'buyer_date', page: 1, x: 72, y: 80, type: 'date', signer: 'buyer' },
    { key: 'seller_signature', page: 2, x: 300, y: 120, type: 'signature', signer: 'seller', label: 'Vendedor' },
  ],
};

export interface CircuitParts {
  pdf?: Buffer | null;
  definition?: object | null;
}

/** A draft with a PDF of two pages and DEFINITION, or with other parts, or without. */
export async function draftCircuit(
  signing: RunningSigning,
  key: string,
  { pdf = minimalPdf(2), definition = DEFINITION }: CircuitParts = {},
): Promise<string> {
  const body = { code: `c-${randomUUID()}`, name: 'Compraventa' };
  const created = await signing.call<CircuitView>('/v1/circuits', { key, body });
  const { id } = succeeded(created);
  if (pdf) succeeded(await uploadPdf(signing, key, id, pdf));
  if (definition) {
    succeeded(await signing.call(`/v1/circuits/${id}/definition`, { method: 'PUT', key, body: definition }));
  }
  return id;
}

/** The same, published. */
export async function publishedCircuit(signing: RunningSigning, key: string, parts?: CircuitParts): Promise<string> {
  const id = await draftCircuit(signing, key, parts);
  succeeded(await signing.call(`/v1/circuits/${id}/publish`, { method: 'POST', key }));
  return id;
}

export function uploadPdf(signing: RunningSigning, key: string, id: string, body: Buffer) {
  const headers = { 'content-type': 'application/pdf' };
  return signing.call<CircuitView>(`/v1/circuits/${id}/base-pdf`, { key, headers, body });
}

/** The body of an answer that is a success. */
export function succeeded<Body>({ status, body }: { status: number; body: Body }): Body {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Page 2 launches a program, a file is attached to it, and the document runs JavaScript when it is opened. */
export const hazardousPdf = () =>
  pagesPdf(['/MediaBox [0 0 595 842]', '/MediaBox [0 0 595 842] /Annots [20 0 R 21 0 R]'])
    .object(1, '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>')
    .object(20, '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (cmd.exe) >> >>')
    .object(21, '<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (a.exe) /EF << /F 22 0 R >> >> >>')
    .stream(22, 'MZ', '/Type /EmbeddedFile')
    .bytes();
