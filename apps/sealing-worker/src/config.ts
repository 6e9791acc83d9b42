import { Env, HTTP_ADDRESS, HttpsInProduction, StoresConfig, withDataKeys, withObjectStore } from '@constancia/config';
import { nameProblem } from '@constancia/pdf-sealing';
import { Equals, IsIn, IsInt, IsString, IsUrl, Max, Min, MinLength, ValidateBy, ValidateIf } from 'class-validator';

const IsDistinguishedName = () =>
  ValidateBy({
    name: 'isDistinguishedName',
    validator: {
      validate: (value) => typeof value === 'string' && nameProblem(value) === undefined,
      defaultMessage: (args) => `is no name: ${nameProblem(String(args?.value))}`,
    },
  });

/** What the sealing worker is configured with. */
export class SealingConfig extends withDataKeys(withObjectStore(StoresConfig)) {
  // What a class says of a member takes the place of all that the inherited one says.
  @IsInt()
  @Min(2)
  override databasePoolSize: number;

  @Env('SIGN_URL', {
    description: 'Public address of the host that signers open; the certificates of completion name it',
    default: 'http://localhost:3003',
  })
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  signUrl: string;

  @Env('KMS_KEY_ID', { description: 'The key that documents are signed with: id, ARN or alias of an RSA key in KMS' })
  @IsString()
  @MinLength(1)
  kmsKeyId: string;

  @Env('KMS_MAX_PER_SECOND', {
    description: 'Signatures per second that this process asks KMS for; all processes share the quota of their account',
    default: '200',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  kmsMaxPerSecond: number;

  @Env('SIGNING_CERTIFICATE_SUBJECT', {
    description: 'Name in the certificate that the key issues to itself, as RFC 4514 writes it',
    default: 'CN=Constancia, O=Constancia, C=CO',
  })
  @IsString()
  @IsDistinguishedName()
  certificateSubject: string;

  @Env('SIGNING_CERTIFICATE_CHAIN_PEM', {
    description: "File with an authority's certificate of the key and its issuers' (PEM). Left out: self-issued",
  })
  @ValidateIf((config: SealingConfig) => config.certificateChainFile !== undefined)
  @IsString()
  certificateChainFile?: string;

  @Env('TSA_URL', { description: 'A time-stamping authority (RFC 3161): signatures are B-T. Left out: B-B' })
  @ValidateIf((config: SealingConfig) => config.tsaUrl !== undefined)
  @IsUrl(HTTP_ADDRESS)
  tsaUrl?: string;

  @Env('EVIDENCE_LEVEL', {
    description:
      'What time-stamped documents are extended to an hour after their seal: B-LT (evidence about the certificates), B-LTA (and a document time-stamp, renewed), or B-T: nothing is added to documents that are sealed from then on. Needs TSA_URL',
    default: 'B-LTA',
  })
  @IsIn(['B-T', 'B-LT', 'B-LTA'])
  evidenceLevel: 'B-T' | 'B-LT' | 'B-LTA';

  @Env('EVIDENCE_RENEW_DAYS', {
    description:
      "Days before the end of the time-stamping authority's certificate at which a document is time-stamped again",
    default: '30',
  })
  @IsInt()
  @Min(1)
  @Max(1_000)
  evidenceRenewDays: number;

  @Env('EVIDENCE_ISSUERS_PEM', {
    description:
      "File with issuers' certificates (PEM) that neither signatures nor time-stamps carry and that cannot be fetched, such as roots",
  })
  @ValidateIf((config: SealingConfig) => config.evidenceIssuersFile !== undefined)
  @IsString()
  evidenceIssuersFile?: string;

  @Env('EVIDENCE_ALLOW_LOOPBACK', {
    description: 'Fetch OCSP responses and revocation lists from loopback addresses too; refused in production',
    default: 'false',
  })
  @ValidateIf((config: SealingConfig) => config.environment === 'production')
  @Equals(false, { message: 'must be false in production' })
  evidenceAllowLoopback: boolean;

  @Env('SEALING_PROCESSES', { description: 'Processes that draw on PDFs', default: '2' })
  @IsInt()
  @Min(1)
  @Max(64)
  processes: number;

  @Env('SEALING_MEMORY_MB', { description: 'Memory that each of them may use', default: '512' })
  @IsInt()
  @Min(128)
  memoryMb: number;

  @Env('SEALING_DEADLINE_MS', { description: 'Time that one document may take to be drawn', default: '8000' })
  @IsInt()
  @Min(100)
  @Max(60_000)
  deadlineMs: number;

  @Env('SEALING_GIVE_UP_SECONDS', {
    description:
      'Age at which a signature request that KMS or the storage keeps from being sealed fails and is refunded; envelopes wait',
    default: '900',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  giveUpSeconds: number;

  @Env('SEALING_TEMPLATE_CACHE_MB', {
    description: 'Memory for templates that are used again and again',
    default: '128',
  })
  @IsInt()
  @Min(32)
  @Max(4_096)
  templateCacheMb: number;

  @Env('SEALING_DOCUMENTS_MB', {
    description: 'Memory for the documents in progress, each counted as three times its template; others wait',
    default: '256',
  })
  @IsInt()
  @Min(32)
  @Max(16_384)
  documentsMb: number;
}
