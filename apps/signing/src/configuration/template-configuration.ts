import { checked } from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import { isUniqueViolation, type Tx } from '@constancia/persistence';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import {
  type AppliedChange,
  changedMeanwhile,
  type ConfigurationChange,
  type ConfigurationKind,
} from '@constancia/tenant-export';
import { IsArray, IsString, Matches } from 'class-validator';
import { CODE } from '../code.ts';
import { PlaceholderView } from '../templates/template-view.ts';
import { readPlaceholders } from '../templates/placeholders.ts';
import { type Placeholder, Template } from '../templates/template.entity.ts';
import { templateAudit } from '../templates/template-audit.ts';
import { parseUploadQuery } from '../templates/upload-query.ts';
import { type ImportedPdf, type ImportedPdfs, SHA256 } from './imported-pdfs.ts';

class TemplateFile {
  @IsString()
  @Matches(CODE)
  code: string;

  @IsString()
  name: string;

  @IsString()
  @Matches(SHA256)
  pdf_sha256: string;

  @IsArray()
  placeholders: unknown[];
}

interface TemplateContent {
  code: string;
  name: string;
  pdf_sha256: string;
  placeholders: Placeholder[];
}

type Change = ConfigurationChange<TemplateContent>;

/** Templates in use, by code. */
export class TemplateConfiguration implements ConfigurationKind<TemplateContent> {
  readonly folder = 'templates';
  private readonly prepared = new Map<string, ImportedPdf>();

  constructor(
    private readonly tenantId: string,
    private readonly pdfs: ImportedPdfs,
  ) {}

  async current(tx: Tx): Promise<Map<string, TemplateContent>> {
    const templates = await tx.manager.findBy(Template, { tenant_id: this.tenantId });
    return new Map(
      templates.filter(({ archived_at }) => archived_at === null).map((row) => [row.code, contentOf(row)]),
    );
  }

  read(file: unknown, fileName: string): TemplateContent {
    const { code, name, pdf_sha256, placeholders: given } = checked(file as object, TemplateFile, '');
    const errors = parseUploadQuery({ code, name }).errors.map(inFile);
    const { placeholders, errors: wrong } = readPlaceholders(given, '/placeholders');
    errors.push(...wrong);
    if (code !== fileName)
      errors.push({ pointer: '/code', code: 'not_allowed', detail: 'The file must be named after it.' });
    if (errors.length > 0) throw new ValidationError(errors);
    return { code, name, pdf_sha256, placeholders };
  }

  async review(tx: Tx, changes: Change[]): Promise<void> {
    for (const change of changes) {
      if (change.before) change.conflict = 'A template never changes: give the other one another code.';
      else if (await tx.manager.existsBy(Template, { tenant_id: this.tenantId, code: change.name })) {
        change.conflict = 'An archived template has this code: give the other one another code.';
      }
    }
  }

  async prepare({ after }: Change, files: ReadonlyMap<string, Buffer>): Promise<FieldError[]> {
    const { pdf_sha256: sha256, placeholders, code } = after;
    const result = await this.pdfs.inspect(
      { tenantId: this.tenantId, folder: this.folder, sha256, placeholders },
      files,
    );
    if (Array.isArray(result)) return result;
    this.prepared.set(code, result);
    return [];
  }

  store({ name }: Change): Promise<void> {
    return this.pdfs.keep(this.prepared.get(name) as ImportedPdf);
  }

  async apply(tx: Tx, { after: { code, name, placeholders } }: Change): Promise<AppliedChange> {
    const { pageCount, warnings, sha256, pdf, key } = this.prepared.get(code) as ImportedPdf;
    const named = {
      id: uuidv7(),
      tenant_id: this.tenantId,
      code,
      name,
      version: 1,
      placeholders,
      external_ref: null,
      metadata: {},
    };
    const file = { sha256, size_bytes: pdf.length, storage_key: key, page_count: pageCount, warnings };
    const template: Template = { ...named, ...file, created_at: new Date(), archived_at: null };
    try {
      await tx.manager.insert(Template, template);
    } catch (error) {
      throw isUniqueViolation(error, 'template_code_key') ? changedMeanwhile() : error;
    }
    return { audit: templateAudit('template.created', template) };
  }
}

/** Members of the file have the rules of an upload's query: their pointers lose `/query`. */
const inFile = (error: FieldError): FieldError => ({ ...error, pointer: error.pointer.replace('/query', '') });

function contentOf({ code, name, sha256, placeholders }: Template): TemplateContent {
  const shown = placeholders.map((placeholder) => PlaceholderView.of(placeholder));
  return { code, name, pdf_sha256: sha256.toString('hex'), placeholders: shown };
}
