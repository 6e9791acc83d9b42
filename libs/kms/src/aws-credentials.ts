import { KMSClient } from '@aws-sdk/client-kms';

/** What requests to AWS are signed with. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** The credentials of this process from the SDK's own chain (environment, web identity, instance), renewed before they expire. */
export function awsCredentials(region: string): () => Promise<AwsCredentials> {
  const client = new KMSClient({ region });
  return () => client.config.credentials();
}
