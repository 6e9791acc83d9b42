import { HAZARD_CODES, type PdfPool, PdfPoolBusy, type PlacedDrawing, SealingFailure } from '@constancia/pdf-sealing';
import type { FieldError } from '@constancia/problem-json';
import type { TextChannel } from '@constancia/text-messages';
import type { CircuitField, Circuit } from './circuit.entity.ts';
import { conditionErrors } from './condition-errors.ts';
import { isTextMethod, TEXT_CHANNEL } from './text-methods.ts';
import { inspected, readersUnavailable } from '../pdf-reading.ts';

/** What the definition and the base PDF's presence lack for publishing, as far as it is known without reading the PDF. */
export function missingParts(
  circuit: Pick<Circuit, 'signers' | 'fields' | 'page_count' | 'base_pdf_key'>,
): FieldError[] {
  const { signers, fields, page_count: pages, base_pdf_key } = circuit;
  const errors: FieldError[] = [];
  if (base_pdf_key === null) errors.push(error('/base_pdf', 'required', 'Upload a base PDF.'));
  if (signers.length === 0) errors.push(error('/signers', 'too_few', 'Define at least one signer.'));
  signers.forEach(({ role }, at) => {
    if (fields.some(({ signer, type, visible_if }) => signer === role && type === 'signature' && !visible_if)) return;
    errors.push(
      error(
        `/signers/${at}`,
        'signature_field_missing',
        `The role ${role} has no field of type signature that is always shown.`,
      ),
    );
  });
  fields.forEach(({ key, page }, at) => {
    if (pages === null || page <= pages) return;
    const count = pages === 1 ? '1 page' : `${pages} pages`;
    errors.push(error(`/fields/${at}/page`, OUTSIDE, `Field ${key} is on page ${page}, and the PDF has ${count}.`));
  });
  return [...errors, ...conditionErrors(circuit)];
}

const OUTSIDE = 'placeholder_outside_page';

/** A box may stand over the edge by as much when it is drawn. Points. */
const TOLERANCE = 0.5;

/** Room for a signature, as the sealing run needs it. Bytes. */
const SIGNATURE_ROOM = 16_384;

/** Roles that ask for a code to the phone over a channel that this deployment has not configured. */
export function unavailableMethods(
  { signers }: Pick<Circuit, 'signers'>,
  channels: readonly TextChannel[],
): FieldError[] {
  return signers.flatMap(({ role, auth }, at) =>
    auth.flatMap((method, nth) => {
      if (!isTextMethod(method) || channels.includes(TEXT_CHANNEL[method])) return [];
      const detail = `The role ${role} asks for ${method}, and no sender is configured for it here: remove it, or ask the operator to configure one.`;
      return [error(`/signers/${at}/auth/${nth}`, 'not_available', detail)];
    }),
  );
}

/** What the base PDF carries that acts by itself, hides or differs from what is shown (HAZARD_CODES): each finding forbids publishing. */
export async function hazardousParts(pdfs: PdfPool, pdf: Buffer): Promise<FieldError[]> {
  const { warnings } = await inspected(pdfs, pdf, []);
  const refused = new Set<string>(HAZARD_CODES);
  return warnings.flatMap(({ code, detail }) => (refused.has(code) ? [error('/base_pdf', code, detail)] : []));
}

/**
 * Does to the base PDF what the sealing run will: draws in every box, appends a page and makes room for the signature. Answers what
 * forbids it, every box that leaves its page included. Throws DependencyUnavailable.
 */
export async function undrawableParts(
  pdfs: PdfPool,
  pdf: Buffer,
  { fields }: Pick<Circuit, 'fields'>,
): Promise<FieldError[]> {
  const additions = { drawings: fields.map(sample), pages: [{ width: 595, height: 842, drawings: [] }] };
  try {
    await pdfs.assemble(pdf, additions, { fieldName: 'seal', signatureBytes: SIGNATURE_ROOM });
    return [];
  } catch (failure) {
    if (failure instanceof PdfPoolBusy) throw readersUnavailable(failure);
    if (!(failure instanceof SealingFailure)) throw failure;
    if (failure.code === 'internal') throw readersUnavailable(failure);
    if (failure.code !== OUTSIDE) return [error('/base_pdf', failure.code, failure.message)];
    return outsideBoxes(pdfs, pdf, fields);
  }
}

function sample({ key, page, x, y, width, height }: CircuitField): PlacedDrawing {
  return { kind: 'checkmark', key, page, x, y, width, height };
}

/** Every box that leaves its page, not the first alone: both its corners are looked at. */
async function outsideBoxes(pdfs: PdfPool, pdf: Buffer, fields: readonly CircuitField[]): Promise<FieldError[]> {
  const corners = fields.flatMap(({ key, page, x, y, width, height }) => [
    { key, page, x, y, size: 12 },
    { key, page, x: x + width - TOLERANCE, y: y + height - TOLERANCE, size: 12 },
  ]);
  const { warnings } = await inspected(pdfs, pdf, corners);
  const outside = new Set(warnings.filter(({ code }) => code === OUTSIDE).map(({ detail }) => keyIn(detail)));
  return fields.flatMap(({ key, page }, at) =>
    outside.has(key) ? [error(`/fields/${at}`, OUTSIDE, `The box of field ${key} leaves page ${page}.`)] : [],
  );
}

/** The key that a warning names; keys hold no quotation marks. */
function keyIn(detail: string): string | undefined {
  return /"([^"]+)"/.exec(detail)?.[1];
}

function error(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail };
}
