import { AnalyzeIDCommand } from '@aws-sdk/client-textract';
import type { IdentityDocument, IdentityDocumentField, TextractClient } from '@aws-sdk/client-textract';
import {
  type DocumentImages,
  type DocumentReader,
  type DocumentReading,
  type FieldName,
  judgeDocument,
  mrzEvidence,
  outcomeOf,
  type ReadingOptions,
  type ReadingReason,
  type ReadValue,
  type SourceEvidence,
} from '@constancia/document-reading';
import { bogotaDay, isDay } from '@constancia/kernel';
import { providerPicture } from './provider-picture.ts';
import { failureOf, shareOf } from './service-failure.ts';

/** Textract's names of what is printed, by ours. Given names come in two. */
const PRINTED: Partial<Record<FieldName, readonly string[]>> = {
  document_number: ['DOCUMENT_NUMBER'],
  surnames: ['LAST_NAME'],
  given_names: ['FIRST_NAME', 'MIDDLE_NAME'],
  birth_date: ['DATE_OF_BIRTH'],
  expiry_date: ['EXPIRATION_DATE'],
};
const DATES: readonly FieldName[] = ['birth_date', 'expiry_date'];

/**
 * Documents read by Amazon Textract (AnalyzeID): printed fields, and the MRZ of those that have one. It reads no PDF417, so the name of a
 * yellow cédula has one source only and goes to review. Judged as every other engine's evidence.
 */
export class TextractDocuments implements DocumentReader {
  readonly engine = 'aws-textract';
  readonly modelVersion = 'AnalyzeID';

  constructor(private readonly client: TextractClient) {}

  async read(images: DocumentImages, options: ReadingOptions): Promise<DocumentReading> {
    const started = performance.now();
    const day = options.day ?? bogotaDay(new Date());
    const { modelVersion, ...verdict } = await this.verdict(images, options.deadlineMs, day);
    return {
      ...verdict,
      quality: [],
      engine: this.engine,
      modelVersion: modelVersion ?? this.modelVersion,
      tookMs: Math.round(performance.now() - started),
    };
  }

  private async verdict({ front, back, expected = {} }: DocumentImages, deadlineMs: number, day: string) {
    try {
      const pages = await Promise.all([front, ...(back ? [back] : [])].map(providerPicture));
      const abortSignal = AbortSignal.timeout(Math.max(1, deadlineMs));
      const command = new AnalyzeIDCommand({ DocumentPages: pages.map(({ bytes }) => ({ Bytes: bytes })) });
      const { IdentityDocuments = [], AnalyzeIDModelVersion } = await this.client.send(command, { abortSignal });
      const sources = IdentityDocuments.flatMap((document) => sourcesOf(document, day));
      const modelVersion = AnalyzeIDModelVersion && `AnalyzeID-${AnalyzeIDModelVersion}`;
      return { ...judgeDocument({ sources, quality: [] }, expected, day), modelVersion };
    } catch (error) {
      const reasons = [failureOf(error) as ReadingReason];
      return {
        ...outcomeOf(reasons),
        kind: null,
        fields: {},
        nameTrusted: false,
        checkDigits: {},
        modelVersion: undefined,
      };
    }
  }
}

function sourcesOf({ IdentityDocumentFields = [] }: IdentityDocument, day: string): SourceEvidence[] {
  const said = new Map(IdentityDocumentFields.map((field) => [field.Type?.Text ?? '', field]));
  const lines = (said.get('MRZ_CODE')?.ValueDetection?.Text ?? '').split(/\s+/).filter((line) => line !== '');
  const mrz = lines.length > 0 ? mrzEvidence(lines, day) : null;
  const printed = printedEvidence(said);
  return [...(mrz ? [mrz] : []), ...(printed ? [printed] : [])];
}

function printedEvidence(said: ReadonlyMap<string, IdentityDocumentField>): SourceEvidence | null {
  const fields: SourceEvidence['fields'] = {};
  for (const [name, types] of Object.entries(PRINTED) as [FieldName, readonly string[]][]) {
    const read = printedValue(
      name,
      types.flatMap((type) => said.get(type) ?? []),
    );
    if (read) fields[name] = read;
  }
  return Object.keys(fields).length > 0 ? { source: 'front', kind: null, fields } : null;
}

function printedValue(name: FieldName, parts: readonly IdentityDocumentField[]): ReadValue | null {
  const detected = parts.flatMap(({ ValueDetection }) => (ValueDetection?.Text ? [ValueDetection] : []));
  if (detected.length === 0) return null;
  const confidence = shareOf(Math.min(...detected.map(({ Confidence = 0 }) => Confidence)));
  const value = DATES.includes(name)
    ? (detected[0]?.NormalizedValue?.Value ?? '').slice(0, 10)
    : detected.map(({ Text = '' }) => Text.trim().toUpperCase()).join(' ');
  if (DATES.includes(name) && !isDay(value)) return null;
  return { value: name === 'document_number' ? value.replace(/[^0-9A-Z]/g, '') : value, confidence, checks: [] };
}
