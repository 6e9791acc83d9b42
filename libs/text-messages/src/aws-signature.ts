import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** A POST to the root of a service of AWS. */
export interface AwsPost {
  host: string;
  region: string;
  /** The name that the service is signed for. */
  service: string;
  /** Lower-case names; all of them are signed. */
  headers: Record<string, string>;
  body: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The headers that sign a request (AWS Signature Version 4), in addition to its own. */
export function awsSignature(
  { host, region, service, headers, body }: AwsPost,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  now: Date = new Date(),
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const added = { 'x-amz-date': time, ...(sessionToken && { 'x-amz-security-token': sessionToken }) };
  const signed = Object.entries({ ...headers, ...added, host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}`);
  const canonical = ['POST', '/', '', ...lines, '', names, sha256(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (before, part) => hmac(before, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex');
  return {
    ...added,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
