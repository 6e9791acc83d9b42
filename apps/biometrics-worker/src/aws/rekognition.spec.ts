import { RekognitionClient } from '@aws-sdk/client-rekognition';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AwsJsonServer,
  awsJsonServer,
  clientOf,
  recordedComparison,
  recordedFace,
  refusal,
} from './aws-json.fixture.ts';
import { REKOGNITION_THRESHOLDS, RekognitionFaces } from './rekognition-faces.ts';

let aws: AwsJsonServer;
let client: RekognitionClient;
let faces: RekognitionFaces;
let picture: Buffer;

beforeAll(async () => {
  aws = await awsJsonServer();
  client = new RekognitionClient(clientOf(aws));
  faces = new RekognitionFaces(client);
  picture = await sharp({ create: { width: 400, height: 600, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
});
beforeEach(() => {
  aws.calls.length = 0;
  aws.answers('DetectFaces', { body: { FaceDetails: [recordedFace()] } });
  aws.answers('CompareFaces', { body: recordedComparison(99.2) });
});
afterAll(async () => {
  client.destroy();
  await aws.close();
});

const compare = (changes: object = {}) => faces.compare(picture, picture, { deadlineMs: 5_000, ...changes });

describe('faces compared by Rekognition', () => {
  it('asks in the form of its JSON protocol, for every similarity', async () => {
    await compare();
    const call = aws.calls.find(({ target }) => target === 'RekognitionService.CompareFaces');
    expect(call).toMatchObject({
      contentType: 'application/x-amz-json-1.1',
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 /) as string,
      body: { SimilarityThreshold: 0, QualityFilter: 'NONE', SourceImage: { Bytes: picture.toString('base64') } },
    });
  });

  it('has a score from 0 to 1, the raw similarity, boxes in pixels, and says who judged', async () => {
    expect(await compare()).toMatchObject({
      outcome: 'pass',
      reasons: [],
      score: 0.992,
      rawMetric: 99.2,
      thresholds: REKOGNITION_THRESHOLDS,
      engine: 'aws-rekognition',
      probe: {
        box: { x: 120, y: 120, width: 160, height: 300 },
        confidence: 0.9998,
        quality: { eyeDistancePx: 80, yawDegrees: 4.5 },
      },
    });
  });

  it.each([
    [99.2, 'pass', []],
    [90, 'review', ['doubtful_likeness']],
    [12, 'reject', ['other_person']],
  ] as const)('at %d %% similarity means %s', async (similarity, outcome, reasons) => {
    aws.answers('CompareFaces', { body: recordedComparison(similarity) });
    expect(await compare()).toMatchObject({ outcome, reasons });
  });

  it('goes by the thresholds of the flow', async () => {
    aws.answers('CompareFaces', { body: recordedComparison(90) });
    expect(await compare({ thresholds: { accept: 0.9, review: 0.5 } })).toMatchObject({ outcome: 'pass' });
    expect(await compare({ thresholds: { accept: 0.99, review: 0.95 } })).toMatchObject({ outcome: 'reject' });
  });

  it('rejects faces that Rekognition does not match at all', async () => {
    aws.answers('CompareFaces', { body: { FaceMatches: [], UnmatchedFaces: [recordedFace()] } });
    expect(await compare()).toMatchObject({ outcome: 'reject', score: 0 });
  });

  it.each([
    ['no_face', []],
    ['two_faces', [recordedFace(), recordedFace()]],
    ['blurred', [recordedFace({ Quality: { Brightness: 80, Sharpness: 3 } })]],
    ['too_dark', [recordedFace({ Quality: { Brightness: 5, Sharpness: 90 } })]],
  ])('asks for another selfie: %s', async (reason, selfie) => {
    // Both pictures are looked at at once; the second answer is of one of them, so both get the same.
    aws.answers('DetectFaces', { body: { FaceDetails: selfie } });
    expect(await compare()).toMatchObject({ outcome: 'retry', reasons: [reason], score: null });
    expect(aws.calls.some(({ target }) => target.endsWith('CompareFaces'))).toBe(false);
  });

  it('passes over a small face in the background', async () => {
    const background = recordedFace({ BoundingBox: { Width: 0.05, Height: 0.06, Left: 0, Top: 0 } });
    aws.answers('DetectFaces', { body: { FaceDetails: [background, recordedFace()] } });
    expect(await compare()).toMatchObject({ outcome: 'pass' });
  });

  it('says of bytes that are no picture that they are none, without a call', async () => {
    const detection = await faces.detect(Buffer.from('nothing'), 'selfie', { deadlineMs: 1_000 });
    expect(detection).toMatchObject({ outcome: 'retry', reasons: ['not_an_image'], face: null });
    expect(aws.calls).toEqual([]);
  });

  it('sends WebP as JPEG', async () => {
    const webp = await sharp(picture).webp().toBuffer();
    expect(await faces.detect(webp, 'selfie', { deadlineMs: 5_000 })).toMatchObject({ outcome: 'pass' });
    const { Image } = aws.calls[0]?.body as { Image: { Bytes: string } };
    expect((await sharp(Buffer.from(Image.Bytes, 'base64')).metadata()).format).toBe('jpeg');
  });

  it.each([
    ['ThrottlingException', 400],
    ['ProvisionedThroughputExceededException', 400],
    ['AccessDeniedException', 400],
    ['InternalServerError', 500],
  ])('calls %s an engine’s failure, which says nothing about anybody', async (type, status) => {
    aws.answers('CompareFaces', refusal(type, status));
    expect(await compare()).toMatchObject({ outcome: 'error', reasons: ['engine_failure'], score: null });
    aws.answers('DetectFaces', refusal(type, status));
    expect(await compare()).toMatchObject({ outcome: 'error', reasons: ['engine_failure'] });
  });

  it('ends at its deadline', async () => {
    aws.answers('CompareFaces', { body: recordedComparison(99), delayMs: 3_000 });
    expect(await compare({ deadlineMs: 400 })).toMatchObject({ outcome: 'error', reasons: ['deadline'] });
  });
});
