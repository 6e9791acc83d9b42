import { TextractClient } from '@aws-sdk/client-textract';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { td3Lines } from '../../../../libs/document-reading/src/rendered/mrz-card.fixture.ts';
import { type AwsJsonServer, awsJsonServer, clientOf, recordedField, refusal } from './aws-json.fixture.ts';
import { TextractDocuments } from './textract-documents.ts';

let aws: AwsJsonServer;
let client: TextractClient;
let reader: TextractDocuments;
let page: Buffer;

const MRZ = td3Lines({
  code: 'P',
  issuer: 'COL',
  documentNumber: 'AS123456',
  surnames: 'OSPINA DUQUE',
  givenNames: 'LAURA SOFIA',
  birthDate: '1990-05-17',
  expiryDate: '2031-02-03',
  sex: 'F',
  nationality: 'COL',
  optional: '',
  optional1: '',
});

const PASSPORT = [
  recordedField('FIRST_NAME', 'Laura'),
  recordedField('MIDDLE_NAME', 'Sofia'),
  recordedField('LAST_NAME', 'OSPINA DUQUE'),
  recordedField('DOCUMENT_NUMBER', 'AS123456'),
  recordedField('DATE_OF_BIRTH', '17 MAY/MAY 1990', '1990-05-17'),
  recordedField('EXPIRATION_DATE', '03 FEB/FEB 2031', '2031-02-03'),
  recordedField('ID_TYPE', 'PASSPORT'),
  recordedField('MRZ_CODE', MRZ.join('\n')),
];

beforeAll(async () => {
  aws = await awsJsonServer();
  client = new TextractClient(clientOf(aws));
  reader = new TextractDocuments(client);
  page = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#ccc' } })
    .png()
    .toBuffer();
});
beforeEach(() => {
  aws.calls.length = 0;
  says(PASSPORT);
});
afterAll(async () => {
  client.destroy();
  await aws.close();
});

function says(...documents: object[][]): void {
  const IdentityDocuments = documents.map((fields, nth) => ({
    DocumentIndex: nth + 1,
    IdentityDocumentFields: fields,
  }));
  aws.answers('AnalyzeID', {
    body: { IdentityDocuments, DocumentMetadata: { Pages: documents.length }, AnalyzeIDModelVersion: '1.0' },
  });
}

const expected = { documentType: 'PA', documentNumber: 'AS123456', country: 'CO' } as const;
const read = (changes: object = {}, options: object = {}) =>
  reader.read({ front: page, expected, ...changes }, { deadlineMs: 5_000, day: '2026-11-21', ...options });

describe('documents read by Textract', () => {
  it('asks in the form of its JSON protocol, with a page for each side', async () => {
    await read({ back: page });
    expect(aws.calls).toHaveLength(1);
    expect(aws.calls[0]).toMatchObject({ target: 'Textract.AnalyzeID', contentType: 'application/x-amz-json-1.1' });
    const { DocumentPages } = aws.calls[0]?.body as { DocumentPages: { Bytes: string }[] };
    expect(DocumentPages).toEqual([{ Bytes: page.toString('base64') }, { Bytes: page.toString('base64') }]);
  });

  it('passes a passport whose print and MRZ agree', async () => {
    expect(await read()).toMatchObject({
      outcome: 'pass',
      reasons: [],
      kind: 'passport',
      nameTrusted: true,
      engine: 'aws-textract',
      modelVersion: 'AnalyzeID-1.0',
      fields: {
        document_number: { value: 'AS123456', trusted: true },
        surnames: { value: 'OSPINA DUQUE', source: 'mrz' },
        given_names: { value: 'LAURA SOFIA' },
        birth_date: { value: '1990-05-17', trusted: true },
      },
    });
  });

  it('trusts no name that print and MRZ do not agree about', async () => {
    says(
      PASSPORT.map((field) => (field.Type.Text === 'LAST_NAME' ? recordedField('LAST_NAME', 'OSPINO DUQUE') : field)),
    );
    expect(await read()).toMatchObject({ outcome: 'review', nameTrusted: false });
  });

  it('sends a card that has print alone to review: its name has one source', async () => {
    says(
      PASSPORT.filter((field) => field.Type.Text !== 'MRZ_CODE').map((field) =>
        field.Type.Text === 'DOCUMENT_NUMBER' ? recordedField('DOCUMENT_NUMBER', '1.098.765.432') : field,
      ),
      [],
    );
    const reading = await read({ back: page, expected: { documentType: 'CC', documentNumber: '1098765432' } });
    expect(reading).toMatchObject({ nameTrusted: false, fields: { document_number: { value: '1098765432' } } });
    expect(reading.outcome).not.toBe('pass');
  });

  it('asks for another try when it is another document, or nothing was read', async () => {
    expect(await read({ expected: { ...expected, documentNumber: 'AS999999' } })).toMatchObject({
      outcome: 'retry',
      reasons: ['document_mismatch'],
    });
    says([]);
    expect(await read()).toMatchObject({ outcome: 'retry', reasons: ['unreadable'] });
  });

  it.each(['UnsupportedDocumentException', 'BadDocumentException', 'DocumentTooLargeException'])(
    'takes %s as said of the picture',
    async (type) => {
      aws.answers('AnalyzeID', refusal(type));
      expect(await read()).toMatchObject({ outcome: 'retry', reasons: ['not_an_image'] });
    },
  );

  it.each([
    ['ThrottlingException', 400],
    ['ProvisionedThroughputExceededException', 400],
    ['AccessDeniedException', 400],
    ['InternalServerError', 500],
  ])('calls %s an engine’s failure', async (type, status) => {
    aws.answers('AnalyzeID', refusal(type, status));
    expect(await read()).toMatchObject({ outcome: 'error', reasons: ['engine_failure'], fields: {} });
  });

  it('ends at its deadline', async () => {
    aws.answers('AnalyzeID', { body: {}, delayMs: 3_000 });
    expect(await read({}, { deadlineMs: 300 })).toMatchObject({ outcome: 'error', reasons: ['deadline'] });
  });
});
