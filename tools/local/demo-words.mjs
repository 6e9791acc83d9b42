/** What the demo says, in English and in Spanish. */
const EN = {
  title: 'Constancia: from a PDF to a sealed document that anybody can check\n',
  starting: 'The stack is not running: starting it first.\n',
  stopping: '\nEnding the stack that the demo started.',
  signUp: 'Sign up',
  signUpLimited: 'Too many sign-ups from this address (5 per 15 minutes): using the demo tenant of the stack.',
  tenant: (tenant) =>
    `tenant ${tenant.slug}, ${tenant.tenant_id}\nAPI key ${tenant.api_key.slice(0, 9)}… and webhook secret, shown once`,
  register: 'Register a webhook endpoint',
  endpoint: (url) => `events of the signing module go to ${url}`,
  upload: 'Upload a template (a contract in Spanish, with five placeholders)',
  template: (t) => `${t.id}, ${t.page_count} page, SHA-256 ${t.sha256.slice(0, 16)}…`,
  sign: 'Ask for a signature with its merge data',
  request: (r) => `${r.id}: ${r.status}, ${r.credits_debited} credits debited`,
  wait: 'The sealing worker draws, signs with the KMS key and stores',
  signed: (r, ms) => `${r.status} ${(ms / 1000).toFixed(1)} s after the request`,
  webhook: 'The signed webhook arrives',
  event: (e) => `${e.event_type} (${e.event_id})`,
  signatures: 'X-Service-Signature and webhook-signature hold for these very bytes',
  download: 'Download the sealed PDF',
  saved: (file, size) => `${file} (${size} bytes)`,
  verify: 'Prove it offline, with openssl alone',
  noOpenssl: 'openssl is not on the PATH: the same check by node:crypto: signature and hash hold',
  ledger: 'The ledger',
  entry: (e) =>
    `${String(e.seq).padStart(4)}  ${e.kind.padEnd(8)} ${String(e.amount).padStart(6)}   balance ${e.balance_after}`,
  deliveries: 'The deliveries',
  done: '\nDone. Open the sealed contract:',
  failed: 'The demo stopped:',
};

const ES = {
  ...EN,
  title: 'Constancia: de un PDF a un documento sellado que cualquiera puede comprobar\n',
  starting: 'El sistema no está en marcha: primero se inicia.\n',
  stopping: '\nSe detiene el sistema que la demostración inició.',
  signUp: 'Registrarse',
  signUpLimited: 'Demasiados registros desde esta dirección (5 cada 15 minutos): se usa el tenant de demostración.',
  tenant: (tenant) =>
    `tenant ${tenant.slug}, ${tenant.tenant_id}\nllave ${tenant.api_key.slice(0, 9)}… y secreto de webhook, que se muestran una sola vez`,
  register: 'Registrar un endpoint de webhooks',
  endpoint: (url) => `los eventos del módulo de firma llegan a ${url}`,
  upload: 'Subir una plantilla (un contrato con cinco campos)',
  template: (t) => `${t.id}, ${t.page_count} página, SHA-256 ${t.sha256.slice(0, 16)}…`,
  sign: 'Pedir una firma con sus datos',
  request: (r) => `${r.id}: ${r.status}, ${r.credits_debited} créditos debitados`,
  wait: 'El proceso de sellado dibuja, firma con la llave del KMS y guarda',
  signed: (r, ms) => `${r.status} ${(ms / 1000).toFixed(1)} s después de la solicitud`,
  webhook: 'Llega el webhook firmado',
  signatures: 'X-Service-Signature y webhook-signature corresponden a estos mismos bytes',
  download: 'Descargar el PDF sellado',
  verify: 'Comprobarlo sin conexión, solo con openssl',
  noOpenssl: 'openssl no está instalado: la misma comprobación con node:crypto: firma y huella corresponden',
  ledger: 'El libro de créditos',
  entry: (e) =>
    `${String(e.seq).padStart(4)}  ${e.kind.padEnd(8)} ${String(e.amount).padStart(6)}   saldo ${e.balance_after}`,
  deliveries: 'Las entregas',
  done: '\nListo. El contrato sellado:',
  failed: 'La demostración se detuvo:',
};

/** The words for a POSIX locale such as es_CO.UTF-8. */
export const wordsFor = (locale) => (/^es/i.test(locale) ? ES : EN);
