/**
 * The two deployments. Hosts, address ranges, buckets, keys and roles are examples by RFC 2606 and RFC 1918: the platform team writes
 * its own here and renders, or lays a Kustomize overlay of its own over the rendered one.
 */
export interface Environment {
  name: 'sandbox' | 'production';
  namespace: string;
  hosts: { platform: string; compliance: string; signing: string; sign: string; console: string; person: string };
  /** Repositories of the images begin with it. */
  registry: string;
  ingress: { className: string; namespace: string; issuer: string };
  /** A ClusterSecretStore of the External Secrets operator, and what the names in it begin with. */
  secrets: { store: string; prefix: string };
  /** Where what the modules need is, as address ranges: Postgres, Redis, the VPC endpoints of AWS, the mail relay. */
  networks: { postgres: string[]; redis: string[]; aws: string[]; smtp: string[] };
  monitoring: { namespace: string; prometheus: string; runbooks: string };
  tracing: { namespace: string; endpoint: string; port: number };
  aws: { region: string; account: string; bucket: string; signingKey: string; statementKey: string; dataKey: string };
  mailFrom: string;
  /** Senders of codes to phones: a pool of AWS End User Messaging, a number of the WhatsApp Cloud API by its id, and its template. */
  texts: { smsPool: string; whatsAppNumber: string; whatsAppTemplate: string };
  certificateSubject: string;
  /** Copies of each module: at least and at most. */
  replicas: { min: number; max: number };
}

const SHARED = {
  registry: 'registry.constancia.example/constancia',
  ingress: { className: 'nginx', namespace: 'ingress-nginx', issuer: 'letsencrypt' },
  monitoring: {
    namespace: 'monitoring',
    prometheus: 'http://prometheus-operated.monitoring.svc:9090',
    runbooks: 'https://git.constancia.example/constancia/src/main/deploy/runbooks',
  },
  tracing: { namespace: 'observability', endpoint: 'http://otel-collector.observability.svc:4318', port: 4318 },
};

export const ENVIRONMENTS: readonly Environment[] = [
  {
    ...SHARED,
    name: 'sandbox',
    namespace: 'constancia-sandbox',
    hosts: {
      platform: 'api.sandbox.constancia.example',
      compliance: 'compliance.sandbox.constancia.example',
      signing: 'signing.sandbox.constancia.example',
      sign: 'sign.sandbox.constancia.example',
      console: 'console.sandbox.constancia.example',
      person: 'person.sandbox.constancia.example',
    },
    secrets: { store: 'constancia', prefix: 'constancia/sandbox' },
    networks: {
      postgres: ['10.50.16.0/24'],
      redis: ['10.50.17.0/24'],
      aws: ['10.50.32.0/24'],
      smtp: ['10.50.18.0/28'],
    },
    aws: {
      region: 'us-east-1',
      account: '000000000000',
      bucket: 'constancia-sandbox-documents',
      signingKey: 'alias/constancia-sandbox-signing',
      statementKey: 'alias/constancia-sandbox-statements',
      dataKey: 'alias/constancia-sandbox-data',
    },
    mailFrom: 'Constancia (sandbox) <no-reply@sandbox.constancia.example>',
    texts: {
      smsPool: 'arn:aws:sms-voice:us-east-1:000000000000:pool/pool-sandbox',
      whatsAppNumber: '100000000000001',
      whatsAppTemplate: 'sign_code',
    },
    certificateSubject: 'CN=Constancia Sandbox, O=Constancia, C=CO',
    replicas: { min: 2, max: 4 },
  },
  {
    ...SHARED,
    name: 'production',
    namespace: 'constancia-production',
    hosts: {
      platform: 'api.constancia.example',
      compliance: 'compliance.constancia.example',
      signing: 'signing.constancia.example',
      sign: 'sign.constancia.example',
      console: 'console.constancia.example',
      person: 'person.constancia.example',
    },
    secrets: { store: 'constancia', prefix: 'constancia/production' },
    networks: {
      postgres: ['10.40.16.0/24'],
      redis: ['10.40.17.0/24'],
      aws: ['10.40.32.0/24'],
      smtp: ['10.40.18.0/28'],
    },
    aws: {
      region: 'us-east-1',
      account: '000000000000',
      bucket: 'constancia-production-documents',
      signingKey: 'alias/constancia-production-signing',
      statementKey: 'alias/constancia-production-statements',
      dataKey: 'alias/constancia-production-data',
    },
    mailFrom: 'Constancia <no-reply@constancia.example>',
    texts: {
      smsPool: 'arn:aws:sms-voice:us-east-1:000000000000:pool/pool-production',
      whatsAppNumber: '100000000000002',
      whatsAppTemplate: 'sign_code',
    },
    certificateSubject: 'CN=Constancia, O=Constancia, C=CO',
    replicas: { min: 3, max: 12 },
  },
];
