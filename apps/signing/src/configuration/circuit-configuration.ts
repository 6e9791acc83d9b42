import { checked, IsMailedText } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { PdfPool } from '@constancia/pdf-sealing';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { TextChannel } from '@constancia/text-messages';
import type { AppliedChange, ConfigurationChange, ConfigurationKind } from '@constancia/tenant-export';
import { IsString, Length, Matches } from 'class-validator';
import { publicationAudit } from '../circuits/circuit-audit.ts';
import { Circuit } from '../circuits/circuit.entity.ts';
import { addVersion, lockCode, publish } from '../circuits/circuits.ts';
import { type Definition, definitionOf } from '../circuits/definition.ts';
import { hazardousParts, missingParts, unavailableMethods, undrawableParts } from '../circuits/publishable.ts';
import { PROBE_PLACEHOLDERS } from '../circuits/upload-base-pdf.ts';
import { CODE } from '../code.ts';
import { NAME_LIMIT } from '../templates/upload-query.ts';
import { type ImportedPdf, type ImportedPdfs, SHA256 } from './imported-pdfs.ts';

class CircuitFile {
  @IsString()
  @Matches(CODE)
  code: string;

  @IsString()
  @Length(1, NAME_LIMIT)
  @IsMailedText()
  name: string;

  @IsString()
  @Matches(SHA256)
  pdf_sha256: string;
}

type CircuitContent = CircuitFile & Definition;

type Change = ConfigurationChange<CircuitContent>;

/** Published circuits, by code. */
export class CircuitConfiguration implements ConfigurationKind<CircuitContent> {
  readonly folder = 'circuits';
  private readonly prepared = new Map<string, ImportedPdf>();

  constructor(
    private readonly tenantId: string,
    private readonly pdfs: ImportedPdfs,
    private readonly pool: PdfPool,
    private readonly channels: readonly TextChannel[],
  ) {}

  async current(tx: Tx): Promise<Map<string, CircuitContent>> {
    const circuits = await tx.manager.findBy(Circuit, { tenant_id: this.tenantId, status: 'published' });
    return new Map(circuits.map((circuit) => [circuit.code, contentOf(circuit)]));
  }

  read(file: unknown, fileName: string): CircuitContent {
    const { code, name, pdf_sha256, ...definition } = file as Record<string, unknown>;
    const errors: FieldError[] = [];
    const named = collected(errors, () => checked({ code, name, pdf_sha256 }, CircuitFile, ''));
    const defined = collected(errors, () => definitionOf(definition));
    if (code !== fileName)
      errors.push({ pointer: '/code', code: 'not_allowed', detail: 'The file must be named after it.' });
    if (errors.length > 0 || !named || !defined) throw new ValidationError(errors);
    return { ...named, ...defined };
  }

  references({ signers }: CircuitContent) {
    return signers.flatMap(({ identity_flow: flow }, at) =>
      flow ? [{ pointer: `/signers/${at}/identity_flow`, file: `platform/flows/${flow.type}.${flow.code}.json` }] : [],
    );
  }

  async lock(tx: Tx, names: readonly string[]): Promise<void> {
    for (const code of names) await lockCode(tx, this.tenantId, code);
  }

  /** The checks of an upload and of publishing. */
  async prepare({ after }: Change, files: ReadonlyMap<string, Buffer>): Promise<FieldError[]> {
    const { tenantId, folder } = this;
    const result = await this.pdfs.inspect(
      { tenantId, folder, sha256: after.pdf_sha256, placeholders: PROBE_PLACEHOLDERS },
      files,
    );
    if (Array.isArray(result)) return result;
    const circuit = { ...after, page_count: result.pageCount, base_pdf_key: result.key };
    const errors = [
      ...missingParts(circuit),
      ...unavailableMethods(circuit, this.channels),
      ...(await hazardousParts(this.pool, result.pdf)),
    ];
    if (errors.length === 0) errors.push(...(await undrawableParts(this.pool, result.pdf, circuit)));
    this.prepared.set(after.code, result);
    return errors.map((error) => ({ ...error, pointer: error.pointer.replace('/base_pdf', '/pdf_sha256') }));
  }

  store({ name }: Change): Promise<void> {
    return this.pdfs.keep(this.prepared.get(name) as ImportedPdf);
  }

  async apply(tx: Tx, { after }: Change): Promise<AppliedChange> {
    const { pdf_sha256: _, ...columns } = after;
    const { sha256, key, pdf, pageCount, warnings } = this.prepared.get(after.code) as ImportedPdf;
    const file = { base_pdf_sha256: sha256, base_pdf_key: key, base_pdf_size: pdf.length, page_count: pageCount };
    const draft = await addVersion(tx, { tenant_id: this.tenantId, ...columns, ...file, warnings });
    return { audit: publicationAudit(await publish(tx, draft)) };
  }
}

/** The result of `read`; its validation errors are added to `errors`. */
function collected<Read>(errors: FieldError[], read: () => Read): Read | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    errors.push(...error.errors);
    return undefined;
  }
}

function contentOf({ code, name, base_pdf_sha256, ...circuit }: Circuit): CircuitContent {
  const { signers, fields, document_access, attach_document } = circuit;
  const definition = filled({ signers, fields, document_access, attach_document });
  return { code, name, pdf_sha256: base_pdf_sha256?.toString('hex') ?? '', ...definition };
}

/** With the defaults of members that are newer than the circuit. */
function filled(definition: Definition): Definition {
  return collected([], () => definitionOf(definition)) ?? definition;
}
