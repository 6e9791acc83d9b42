import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer in the form that AWS's JSON protocol (1.1) has. */
export interface RecordedAnswer {
  status?: number;
  body: object;
  delayMs?: number;
}

export interface SeenCall {
  /** `RekognitionService.CompareFaces`… */
  target: string;
  contentType: string;
  authorization: string;
  body: Record<string, unknown>;
}

export interface AwsJsonServer {
  endpoint: string;
  calls: SeenCall[];
  /** What an operation answers from now on; a list is answered one after the other, the last goes on. */
  answers(operation: string, answer: RecordedAnswer | RecordedAnswer[]): void;
  close(): Promise<void>;
}

export const refusal = (type: string, status = 400): RecordedAnswer => ({
  status,
  body: { __type: type, Message: 'the words of the service' },
});

/** A server that speaks the JSON protocol of AWS's services and answers what was recorded. */
export async function awsJsonServer(): Promise<AwsJsonServer> {
  const calls: SeenCall[] = [];
  const recorded = new Map<string, RecordedAnswer[]>();
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const target = String(request.headers['x-amz-target']);
      const [operation = ''] = target.split('.').slice(-1);
      calls.push({
        target,
        contentType: String(request.headers['content-type']),
        authorization: String(request.headers.authorization),
        body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      });
      const list = recorded.get(operation) ?? [refusal('UnknownOperationException')];
      const { status = 200, body, delayMs = 0 } = (list.length > 1 ? list.shift() : list[0]) as RecordedAnswer;
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(body));
      }, delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answers: (operation, answer) => void recorded.set(operation, [answer].flat()),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** For clients of the server. */
export const clientOf = ({ endpoint }: AwsJsonServer) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'development', secretAccessKey: 'development' },
  maxAttempts: 1,
});

/** A face as DetectFaces describes it (attributes DEFAULT). */
export const recordedFace = (changes: Record<string, unknown> = {}) => ({
  BoundingBox: { Width: 0.4, Height: 0.5, Left: 0.3, Top: 0.2 },
  Confidence: 99.98,
  Landmarks: [
    { Type: 'eyeLeft', X: 0.4, Y: 0.4 },
    { Type: 'eyeRight', X: 0.6, Y: 0.4 },
    { Type: 'mouthLeft', X: 0.42, Y: 0.6 },
    { Type: 'mouthRight', X: 0.58, Y: 0.6 },
    { Type: 'nose', X: 0.5, Y: 0.5 },
  ],
  Pose: { Roll: -1.2, Yaw: 4.5, Pitch: 2.1 },
  Quality: { Brightness: 78.4, Sharpness: 92.2 },
  ...changes,
});

/** What CompareFaces answers about two faces. */
export const recordedComparison = (similarity: number) => ({
  SourceImageFace: { BoundingBox: recordedFace().BoundingBox, Confidence: 99.9 },
  FaceMatches: [{ Similarity: similarity, Face: recordedFace() }],
  UnmatchedFaces: [],
});

/** A field as AnalyzeID describes it. */
export const recordedField = (type: string, text: string, date?: string) => ({
  Type: { Text: type },
  ValueDetection: {
    Text: text,
    Confidence: 98.5,
    ...(date && { NormalizedValue: { Value: `${date}T00:00:00`, ValueType: 'Date' } }),
  },
});
