/** All that the verify page says. Names of states and events are the API's. */
export interface Words {
  title: string;
  titleOfEnvelope: string;
  lead: string;
  loading: string;
  unknownEnvelope: { title: string; text: string };
  noAnswer: { title: string; text: string };
  tryAgain: string;
  choose: string;
  chooseAnother: string;
  drop: string;
  stays: string;
  checking: string;
  outcomes: Record<
    'authentic' | 'unproven' | 'unsigned' | 'other' | 'altered' | 'unknown' | 'unreadable' | 'no_answer',
    Outcome
  >;
  unknownInAll: Outcome;
  sameBytes: string;
  signatureHolds: string;
  signatureFails: string;
  sealedAt: string;
  fileHash: string;
  sealedHash: string;
  baseHash: string;
  key: string;
  signature: string;
  algorithm: string;
  publicKey: string;
  certificate: string;
  showTrail: string;
  statuses: Record<string, string>;
  statusExplained: Record<string, string>;
  signers: string;
  signerStatuses: Record<string, string>;
  signedOn: (time: string) => string;
  unnamed: string;
  trail: string;
  trailWhole: (count: number) => string;
  trailShow: (count: number) => string;
  trailBroken: string;
  trailExplained: string;
  events: Record<string, string>;
  hash: string;
  details: string;
}

interface Outcome {
  title: string;
  text: string;
}
