import type { Locale, ProcessName } from '@constancia/operations';

/** What the command says beside the names of fields, in English and in Spanish. */
export interface Words {
  none: string;
  more(shown: number, cursor: string): string;
  noConnection: string;
  noAddress(tokens: string): string;
  noToken(url: string, token: string): string;
  badAddress(name: string, text: string): string;
  unknownAddress(process: ProcessName): string;
  badOperator: string;
  away(process: ProcessName, url: string, cause: string): string;
  wrongToken(process: ProcessName): string;
  noActions(process: ProcessName): string;
  failed: string;
  empty: (argument: string) => string;

  oneOrFilter: string;
  whose: string;
  why: string;
  queuedAgain(id: string): string;
  matched(count: number, max: number, rate: number | null): string;
  dryRun: string;
  nothing: string;
  needsYes(count: number): string;
  started(id: string): string;
  progress(done: number, matched: number, skipped: number, status: string): string;
  stopped(id: string): string;
  runEnded(id: string, status: string, replayed: number, skipped: number): string;
  paused(id: string, until: string): string;
  resumed(id: string): string;
  hinted(count: number): string;
  ledgerFine(entries: number, tenants: number): string;
  ledgerWrong(count: number): string;
  holds(open: number, stale: number): string;
  inFiles(entries: number): string;
  archived(slug: string, from: number, through: number, key: string): string;
  archiveDone(files: number): string;
  archiveStopped(files: number): string;
  archivesFine(files: number): string;
  archiveWrong(id: string, key: string, fault: string): string;
  chainFine(acts: number, head: string | null): string;
  chainBroken(seq: number | string, fault: string): string;
  listsMissing(lists: string): string;
  listsStale(lists: string): string;
  tenantMade: string;
  granted(slug: string, balance: number, repeated: boolean): string;
  tenantSuspended(slug: string, since: string): string;
  tenantResumed(slug: string): string;
  grantWaits(id: string, until: string): string;
  grantWithdrawn(id: string): string;
  refunded(topup: string, pesos: number, status: string, balance: number): string;
  refundWaits(id: string, until: string): string;
  refundWithdrawn(id: string): string;
  lag: { outbox: string; work: string; queues: string; quiet: string; delayed: string };
  attempts: string;
  timeline(zone: string): string;
  deliveriesOf: string;
  verdict: string;
  next: string;
  notAsked(process: string, why: string): string;
  arrived(delivered: number, all: number): string;
  noStory(id: string): string;
  noEvent(id: string, at: string): string;
}

const en = (value: number) => value.toLocaleString('en');
const es = (value: number) => value.toLocaleString('es-CO');

const EN: Words = {
  none: 'None.',
  more: (shown, cursor) => `${shown} shown. The next: the same command with --cursor ${cursor}`,
  noConnection:
    'No process is known: start the stack (npm start), or set OPS_URL_PLATFORM and OPS_TOKEN (docs/guides/on-call.md, "In a cluster").',
  noAddress: (tokens) =>
    `${tokens} is set, so the local stack is not asked, but no address is: set OPS_URL_PLATFORM (and OPS_URL_COMPLIANCE, OPS_URL_SIGNING).`,
  noToken: (url, token) => `${url} is set but there is no token for it: set OPS_TOKEN, or ${token}.`,
  badAddress: (name, text) => `${name} is no address: "${text}". It looks like http://127.0.0.1:9090.`,
  unknownAddress: (process) =>
    `This asks ${process}, whose address is not known: forward its port and set OPS_URL_${process.toUpperCase()}.`,
  badOperator: 'Give your name with --operator: 1 to 128 printable ASCII characters. It is kept in the audit log.',
  away: (process, url, cause) =>
    `${process} does not answer at ${url} (${cause}). Is it running (npm start), or is its port forwarded (kubectl port-forward deploy/${process} 9090)?`,
  wrongToken: (process) =>
    `${process} does not accept this token. It is your own token of OPS_TOKENS_FILE, or OPS_TOKEN of the module's own secret; the local stack's is in .local/ops.json.`,
  noActions: (process) =>
    `${process} answers, but not to operators: was it started without OPS_TOKENS_FILE and OPS_TOKEN, is this another port than its OPS_PORT, or is it an older release?`,
  failed: 'ops:',
  empty: (argument) => `<${argument}> is empty. In a script: is its variable set?`,
  oneOrFilter: 'Give either the id of one delivery, or a filter (--tenant, --module, --status, --since …), not both.',
  whose: 'Say whose deliveries: --tenant <slug>, or --all-tenants.',
  why: 'Say why with --reason "…": it is kept in the audit log.',
  queuedAgain: (id) => `${id} is queued again. See how it ends: npm run ops -- deliveries show ${id}`,
  matched: (count, max, rate) =>
    `${count === 1 ? '1 delivery matches' : `${en(count)} deliveries match`}${count >= max ? ` (--max ${max}: there may be more)` : ''}. ${rate === null ? "At the dispatcher's own rate." : `At ${rate} a second: about ${duration(count / rate)}.`}`,
  dryRun: 'Nothing was sent: this was a dry run.',
  nothing: 'Nothing matches: nothing was sent.',
  needsYes: (count) => `That is more than 100: add --yes to send all ${en(count)} again. Nothing was sent.`,
  started: (id) => `Run ${id} has started. Ctrl-C leaves it running.`,
  progress: (done, matched, skipped, status) =>
    `${status}: ${en(done)} of ${en(matched)} queued again, ${en(skipped)} skipped`,
  stopped: (id) =>
    `The run goes on without you.\n  look:    npm run ops -- replays show ${id}\n  cancel:  npm run ops -- replays cancel ${id} --reason "…"`,
  runEnded: (id, status, replayed, skipped) =>
    `${id} ${status}: ${en(replayed)} queued again, ${en(skipped)} skipped (endpoint gone or disabled, or changed meanwhile).`,
  paused: (id, until) => `${id} is paused until ${until}. Nothing is lost: what is due then goes out.`,
  resumed: (id) =>
    `${id} receives deliveries again. What waited is sent now, in order; what failed is sent by "deliveries replay".`,
  hinted: (count) => `${en(count)} hints sent: everything that is due is looked at now.`,
  ledgerFine: (entries, tenants) =>
    `The ledger is correct: ${en(entries)} entries of ${tenants === 1 ? '1 tenant' : `${en(tenants)} tenants`}, no drift.`,
  ledgerWrong: (count) =>
    `The ledger is NOT correct: ${en(count)} faults. Do not change rows by hand: keep this output and open an incident.`,
  holds: (open, stale) =>
    `${en(open)} holds are open, ${en(stale)} of them stale (released by a sweep every few minutes).`,
  inFiles: (entries) =>
    `${en(entries)} older entries are in archived files: npm run ops -- archive verify checks those.`,
  archived: (slug, from, through, key) => `${slug}: ${en(from)} to ${en(through)} are in ${key}`,
  archiveDone: (files) =>
    files === 0
      ? 'Nothing is old enough to be archived.'
      : `${files === 1 ? '1 file' : `${en(files)} files`} written. Nothing else is old enough.`,
  archiveStopped: (files) =>
    `${files === 1 ? '1 file' : `${en(files)} files`} written. There is more: run it again, or with a larger --max-files.`,
  archivesFine: (files) =>
    files === 0
      ? 'There are no archived files.'
      : `${files === 1 ? '1 file is' : `${en(files)} files are`} as archived: bytes, signature, chain, and what the database has of them.`,
  archiveWrong: (id, key, fault) =>
    `${id} is NOT as it was archived: ${fault}. Do not replace ${key}: keep this output, look for an earlier version of the object, and open an incident.`,
  chainFine: (acts, head) => `The audit log is correct: ${en(acts)} actions. Its head: ${head ?? '-'}`,
  chainBroken: (seq, fault) =>
    `The audit log is NOT correct, at action ${seq}: ${fault}. Somebody changed it in the database: open a security incident.`,
  listsMissing: (lists) =>
    `Missing: ${lists}. Every screening answers 503 until they are imported (docs/guides/lists.md).`,
  listsStale: (lists) => `Too old: ${lists}. Screenings go on, and say so.`,
  tenantMade: 'The key and the secret are shown this once: hand them over in a safe way, not in a ticket.',
  grantWaits: (id, until) =>
    `Nothing was credited yet: this exceeds what one operator may grant in 24 hours. A second one may approve it until ${until}: npm run ops -- grants approve ${id} --reason …`,
  refunded: (topup, pesos, status, balance) =>
    `${en(pesos)} COP of ${topup} are given back: it is ${status} now, and the tenant has ${en(balance)} credits.`,
  refundWaits: (id, until) =>
    `Nothing was given back yet: this exceeds what one operator may move in 24 hours. A second one may approve it until ${until}: npm run ops -- topups approve ${id} --reason …`,
  refundWithdrawn: (id) => `${id} is withdrawn: nothing was given back.`,
  grantWithdrawn: (id) => `${id} is withdrawn: nothing was credited.`,
  tenantSuspended: (slug, since) => `${slug} is suspended since ${since}: none of its credentials is accepted.`,
  tenantResumed: (slug) => `${slug} is active: what waited is being sent.`,
  granted: (slug, balance, repeated) =>
    `${repeated ? 'This reference was granted before: nothing was added. ' : ''}${slug} has ${en(balance)} credits now.`,
  lag: {
    outbox: 'Webhooks',
    work: 'Work that waits',
    queues: 'Queues (hints only: they may be emptied at any time)',
    quiet: 'nothing waits',
    delayed: '(delayed: waits for its time, such as the next run of periodic work; an idle queue may show 1)',
  },
  attempts: 'Attempts',
  timeline: (zone) => `What happened (times of the day, ${zone})`,
  deliveriesOf: 'Deliveries',
  verdict: 'Why',
  next: 'Next',
  notAsked: (process, why) => `${process} was not asked for its part of the story: ${why}`,
  arrived: (delivered, all) =>
    all === 0
      ? 'No webhook was sent: no endpoint was registered for its events.'
      : `${en(delivered)} of ${en(all)} ${all === 1 ? 'delivery' : 'deliveries'} arrived.`,
  noStory: (id) =>
    `"${id}" is not an id that can be traced: an event_id, or dlv_…, sig_…, env_…, fls_…, sub_…, scr_…, cas_…, stp_…. A request_id of the caller's own is in the logs: its lines name the trace_id and the ids that the request made.`,
  noEvent: (id, at) =>
    `There is no event ${id}, or retention has taken it. If it is a request_id, the request came at ${at}: search the logs of that time for it; its lines name the trace_id and the ids that it made, which "trace" takes.`,
};

const ES: Words = {
  none: 'Nada.',
  more: (shown, cursor) => `Se muestran ${shown}. Los siguientes: el mismo comando con --cursor ${cursor}`,
  noConnection:
    'No se conoce ningún proceso: inicie el sistema (npm start), o ponga OPS_URL_PLATFORM y OPS_TOKEN (docs/guides/on-call.md, "In a cluster").',
  noAddress: (tokens) =>
    `${tokens} está definida, así que no se pregunta al sistema local, pero falta la dirección: ponga OPS_URL_PLATFORM (y OPS_URL_COMPLIANCE, OPS_URL_SIGNING).`,
  noToken: (url, token) => `${url} está definida pero no hay token para ella: ponga OPS_TOKEN, o ${token}.`,
  badAddress: (name, text) => `${name} no es una dirección: "${text}". Tiene la forma http://127.0.0.1:9090.`,
  unknownAddress: (process) =>
    `Esto se pregunta a ${process}, cuya dirección no se conoce: redirija su puerto y ponga OPS_URL_${process.toUpperCase()}.`,
  badOperator:
    'Diga su nombre con --operator: de 1 a 128 caracteres ASCII imprimibles. Queda en el registro de auditoría.',
  away: (process, url, cause) =>
    `${process} no responde en ${url} (${cause}). ¿Está en marcha (npm start), o su puerto redirigido (kubectl port-forward deploy/${process} 9090)?`,
  wrongToken: (process) =>
    `${process} no acepta este token. Es su propio token de OPS_TOKENS_FILE, u OPS_TOKEN del secreto del módulo; el del sistema local está en .local/ops.json.`,
  noActions: (process) =>
    `${process} responde, pero no a operadores: ¿se inició sin OPS_TOKENS_FILE ni OPS_TOKEN, es otro puerto que su OPS_PORT, o es una versión anterior?`,
  failed: 'ops:',
  empty: (argument) => `<${argument}> está vacío. En un script: ¿tiene valor su variable?`,
  oneOrFilter: 'Dé el id de una entrega, o un filtro (--tenant, --module, --status, --since …), no ambos.',
  whose: 'Diga de quién son las entregas: --tenant <slug>, o --all-tenants.',
  why: 'Diga por qué con --reason "…": queda en el registro de auditoría.',
  queuedAgain: (id) => `${id} vuelve a la cola. Vea cómo termina: npm run ops -- deliveries show ${id}`,
  matched: (count, max, rate) =>
    `${count === 1 ? 'Coincide 1 entrega' : `Coinciden ${es(count)} entregas`}${count >= max ? ` (--max ${max}: puede haber más)` : ''}. ${rate === null ? 'Al ritmo propio del despachador.' : `A ${rate} por segundo: unos ${duration(count / rate)}.`}`,
  dryRun: 'No se envió nada: era un ensayo.',
  nothing: 'Nada coincide: no se envió nada.',
  needsYes: (count) => `Son más de 100: agregue --yes para enviar otra vez las ${es(count)}. No se envió nada.`,
  started: (id) => `Comenzó la ejecución ${id}. Ctrl-C la deja seguir.`,
  progress: (done, matched, skipped, status) =>
    `${status}: ${es(done)} de ${es(matched)} en la cola, ${es(skipped)} omitidas`,
  stopped: (id) =>
    `La ejecución sigue sin usted.\n  ver:       npm run ops -- replays show ${id}\n  cancelar:  npm run ops -- replays cancel ${id} --reason "…"`,
  runEnded: (id, status, replayed, skipped) =>
    `${id} ${status}: ${es(replayed)} en la cola, ${es(skipped)} omitidas (destino borrado o deshabilitado, o cambiaron entre tanto).`,
  paused: (id, until) => `${id} está en pausa hasta ${until}. Nada se pierde: lo pendiente sale entonces.`,
  resumed: (id) =>
    `${id} recibe entregas otra vez. Lo que esperaba se envía ahora, en orden; lo que falló se envía con "deliveries replay".`,
  hinted: (count) => `${es(count)} avisos dados: lo pendiente se mira ahora.`,
  ledgerFine: (entries, tenants) =>
    `El libro cuadra: ${es(entries)} asientos de ${tenants === 1 ? '1 cliente' : `${es(tenants)} clientes`}, sin diferencia.`,
  ledgerWrong: (count) =>
    `El libro NO cuadra: ${es(count)} fallas. No corrija filas a mano: guarde esta salida y abra un incidente.`,
  holds: (open, stale) =>
    `${es(open)} reservas abiertas, ${es(stale)} de ellas vencidas (un barrido las devuelve cada pocos minutos).`,
  inFiles: (entries) =>
    `${es(entries)} asientos anteriores están en archivos: npm run ops -- archive verify los comprueba.`,
  archived: (slug, from, through, key) => `${slug}: ${es(from)} a ${es(through)} están en ${key}`,
  archiveDone: (files) =>
    files === 0
      ? 'Nada tiene edad suficiente para archivarse.'
      : `${files === 1 ? '1 archivo escrito' : `${es(files)} archivos escritos`}. Nada más tiene edad suficiente.`,
  archiveStopped: (files) =>
    `${files === 1 ? '1 archivo escrito' : `${es(files)} archivos escritos`}. Hay más: repita el comando, o con un --max-files mayor.`,
  archivesFine: (files) =>
    files === 0
      ? 'No hay archivos.'
      : `${files === 1 ? '1 archivo está' : `${es(files)} archivos están`} como se archivaron: bytes, firma, cadena, y lo que la base de datos tiene de ellos.`,
  archiveWrong: (id, key, fault) =>
    `${id} NO está como se archivó: ${fault}. No reemplace ${key}: guarde esta salida, busque una versión anterior del objeto y abra un incidente.`,
  chainFine: (acts, head) => `El registro de auditoría cuadra: ${es(acts)} acciones. Su cabeza: ${head ?? '-'}`,
  chainBroken: (seq, fault) =>
    `El registro de auditoría NO cuadra, en la acción ${seq}: ${fault}. Alguien lo cambió en la base de datos: abra un incidente de seguridad.`,
  listsMissing: (lists) => `Faltan: ${lists}. Toda consulta responde 503 hasta que se importen (docs/guides/lists.md).`,
  listsStale: (lists) => `Muy viejas: ${lists}. Las consultas siguen, y lo dicen.`,
  tenantMade: 'La clave y el secreto se muestran solo esta vez: entréguelos por una vía segura, no en un tiquete.',
  grantWaits: (id, until) =>
    `Todavía no se acreditó nada: supera lo que un operador puede dar en 24 horas. Otro puede aprobarlo hasta ${until}. Comando: npm run ops -- grants approve ${id} --reason …`,
  refunded: (topup, pesos, status, balance) =>
    `Se devolvieron ${es(pesos)} COP de ${topup}: ahora está ${status}, y el cliente tiene ${es(balance)} créditos.`,
  refundWaits: (id, until) =>
    `Aún no se devolvió nada: supera lo que un operador puede mover en 24 horas. Otro puede aprobarlo hasta ${until}: npm run ops -- topups approve ${id} --reason …`,
  refundWithdrawn: (id) => `${id} queda retirada: no se devolvió nada.`,
  grantWithdrawn: (id) => `${id} está retirada: no se acreditó nada.`,
  tenantSuspended: (slug, since) => `${slug} está suspendido desde ${since}: no se acepta ninguna credencial suya.`,
  tenantResumed: (slug) => `${slug} está activo: lo que esperaba se está enviando.`,
  granted: (slug, balance, repeated) =>
    `${repeated ? 'Esta referencia ya se había abonado: no se sumó nada. ' : ''}${slug} tiene ahora ${es(balance)} créditos.`,
  lag: {
    outbox: 'Webhooks',
    work: 'Trabajo que espera',
    queues: 'Colas (solo avisos: se pueden vaciar en cualquier momento)',
    quiet: 'nada espera',
    delayed: '(delayed: espera su hora, como la próxima tarea periódica; una cola sin trabajo puede mostrar 1)',
  },
  attempts: 'Intentos',
  timeline: (zone) => `Qué pasó (horas del día, ${zone})`,
  deliveriesOf: 'Entregas',
  verdict: 'Por qué',
  next: 'Ahora',
  notAsked: (process, why) => `A ${process} no se le preguntó su parte: ${why}`,
  arrived: (delivered, all) =>
    all === 0
      ? 'No se envió ningún webhook: no había un destino registrado para sus eventos.'
      : `${all === 1 ? 'Llegó' : 'Llegaron'} ${es(delivered)} de ${es(all)} ${all === 1 ? 'entrega' : 'entregas'}.`,
  noStory: (id) =>
    `"${id}" no es un id que se pueda seguir: un event_id, o dlv_…, sig_…, env_…, fls_…, sub_…, scr_…, cas_…, stp_…. Un request_id propio de quien llama está en los registros: sus líneas dicen el trace_id y los ids que creó la petición.`,
  noEvent: (id, at) =>
    `No hay un evento ${id}, o ya se borró por antigüedad. Si es un request_id, la petición llegó a las ${at}: búsquelo en los registros de esa hora; sus líneas dicen el trace_id y los ids que creó, que "trace" acepta.`,
};

function duration(seconds: number): string {
  if (seconds < 1) return '1 s';
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}

/** The language of the terminal. */
export function localeOf(env: NodeJS.ProcessEnv): Locale {
  return /^es/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'es-CO' : 'en';
}

export function wordsFor(env: NodeJS.ProcessEnv): Words {
  return localeOf(env) === 'es-CO' ? ES : EN;
}
