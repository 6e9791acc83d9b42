/** npm run demo: the main job in the terminal, against the running stack; starts one when none runs, and ends it again. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCapture } from './capture-job.mjs';
import { wordsFor } from './demo-words.mjs';
import { LOAD_LIMITS, loadMinutes, playLoad } from './month/load-job.mjs';
import { consoleMonth } from './month/console-month.mjs';
import {
  CallRefused,
  deliveries,
  downloadSealed,
  ledger,
  registerEndpoint,
  requestSignature,
  sealHolds,
  signUp,
  uploadTemplate,
  whenSigned,
} from './main-job.mjs';
import { PLACES, WORKSPACE, readJson } from './places.mjs';
import { approveCheckout, balance, createTopup, registerBillingEndpoint, whenCredited } from './topup-job.mjs';
import { runningLauncher } from './pids.mjs';
import { openReceiver, serviceSignatureHolds, standardSignatureHolds } from './webhook-receiver.mjs';

const words = wordsFor(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '');
let stepNumber = 0;
const heading = (text) => console.log(`\n${++stepNumber}. ${text}`);
const tell = (text) => console.log(text.replace(/^/gm, '   '));

function launcher(file, args) {
  const script = fileURLToPath(new URL(file, import.meta.url));
  return spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status === 0;
}

async function tenantOfDemo(stack) {
  try {
    return await signUp(stack);
  } catch (error) {
    if (!(error instanceof CallRefused) || error.status !== 429) throw error;
    tell(words.signUpLimited);
    return stack.tenant;
  }
}

/** Runs the README's commands in the folder where the files were saved, and shows them with what they answer. */
function proveWithOpenssl(sealed) {
  const files = { 'contrato-sellado.pdf': sealed.pdf, 'firma.bin': sealed.signature, 'llave.pem': sealed.pem };
  for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(PLACES.demo, name), bytes);
  const commands = [
    ['openssl', 'dgst', '-sha256', 'contrato-sellado.pdf'],
    ['openssl', 'dgst', '-sha256', '-verify', 'llave.pem', '-signature', 'firma.bin', 'contrato-sellado.pdf'],
  ];
  tell(`X-Document-SHA256: ${sealed.sha256}`);
  tell(`$ cd ${path.relative(WORKSPACE, PLACES.demo)}`);
  for (const [command, ...args] of commands) {
    const { error, stdout, stderr, status } = spawnSync(command, args, { cwd: PLACES.demo, encoding: 'utf8' });
    if (/** @type {NodeJS.ErrnoException | undefined} */ (error)?.code === 'ENOENT') return tell(words.noOpenssl);
    tell(`$ ${[command, ...args].join(' ')}\n${(stdout + stderr).trim()}`);
    if (status !== 0) throw new Error('openssl refuses the signature');
    if (!stdout.includes('Verified OK') && !stdout.includes(sealed.sha256))
      throw new Error('openssl finds another hash');
  }
}

async function receiveEvent(receiver, request, tenant) {
  const ours = (event) => event.event_type === 'seal.signature.completed' && event.payload.request_id === request.id;
  const arrival = await receiver.arrived(ours, 15_000);
  tell(words.event(arrival.event));
  if (!serviceSignatureHolds(arrival, tenant.webhook_secret)) throw new Error('X-Service-Signature does not hold');
  if (!standardSignatureHolds(arrival, tenant.webhook_secret)) throw new Error('webhook-signature does not hold');
  tell(words.signatures);
}

/** Buys credits: a checkout, the payer's approval at the simulator, the provider's callback, the event. */
async function walkTopup(stack, receiver) {
  if (!stack.payments_url) throw new Error(words.noSimulator);
  heading(words.signUp);
  const tenant = await tenantOfDemo(stack);
  tell(words.tenant(tenant));

  heading(words.registerBilling);
  await registerBillingEndpoint(stack, tenant, receiver.url);
  tell(words.billingEndpoint(receiver.url));

  heading(words.topup);
  const before = await balance(stack, tenant);
  const topup = await createTopup(stack, tenant, 100_000);
  tell(words.quote(topup));

  heading(words.pay);
  tell(topup.init_point);
  const askedAt = performance.now();
  const back = await approveCheckout(topup);
  tell(words.paid(back));

  heading(words.credit);
  const credited = await whenCredited(stack, tenant, topup, 15_000);
  tell(words.credited(credited, performance.now() - askedAt));

  heading(words.webhook);
  const isOurs = ({ event_type: type, payload }) =>
    type === 'credits.balance.credited' && payload.topup_id === topup.id;
  const arrival = await receiver.arrived(isOurs, 15_000);
  tell(words.event(arrival.event));
  if (!standardSignatureHolds(arrival, tenant.webhook_secret)) throw new Error('webhook-signature does not hold');
  if (arrival.event.payload.balance_after !== before.available + topup.amount_credits) {
    throw new Error('the event says another balance than the quote');
  }
  tell(words.signatures);

  heading(words.ledger);
  for (const entry of await ledger(stack, tenant)) tell(words.entry(entry));

  console.log(words.topupDone(stack.payments_url));
}

/** Opens a flow for the browser on the running stack, which goes on running: the person needs it. Ends the demo. */
async function showCapture() {
  if (runningLauncher() === null) {
    console.error(words.captureNeedsStack);
    process.exit(1);
  }
  try {
    const stack = readJson(PLACES.stack);
    console.log(words.captureTitle);
    const session = await openCapture(stack, stack.tenant, words.locale);
    console.log(words.capture(session));
    process.exit(0);
  } catch (error) {
    console.error(`${words.failed} ${error.message}`);
    process.exit(1);
  }
}

/** The demo tenant with a month of use, and a link to its console. Starts a stack when none runs; it goes on running: the person needs it. */
async function showConsole(flags) {
  console.log(words.consoleTitle);
  if (runningLauncher() === null) {
    console.log(words.starting);
    if (!launcher('start.mjs', ['--detach', ...flags])) process.exit(1);
  }
  try {
    const link = await consoleMonth({ onFill: () => console.log(words.monthFilling) });
    console.log(words.console(link));
    process.exit(0);
  } catch (error) {
    console.error(`${words.failed} ${error.message}`);
    process.exit(1);
  }
}

/** A bank's month at high speed on a stack of its own limits, which goes on running for the console, and the oracle's verdict. */
async function showLoad(args) {
  const minutes = loadMinutes(args);
  if (minutes === null) {
    console.error(words.loadMinutes);
    process.exit(2);
  }
  console.log(words.loadTitle(minutes));
  if (runningLauncher() !== null) {
    console.error(words.loadNeedsOwnStack);
    process.exit(1);
  }
  console.log(words.starting);
  Object.assign(process.env, LOAD_LIMITS);
  const at = args.indexOf('--minutes');
  if (
    !launcher('start.mjs', ['--detach', ...args.filter((_, index) => at === -1 || (index !== at && index !== at + 1))])
  )
    process.exit(1);
  try {
    const holds = await playLoad(minutes, words.locale);
    console.log(words.loadDone);
    process.exit(holds ? 0 : 1);
  } catch (error) {
    console.error(`${words.failed} ${error.message}`);
    process.exit(1);
  }
}

async function walk(stack, receiver) {
  heading(words.signUp);
  const tenant = await tenantOfDemo(stack);
  tell(words.tenant(tenant));

  heading(words.register);
  await registerEndpoint(stack, tenant, receiver.url);
  tell(words.endpoint(receiver.url));

  heading(words.upload);
  const template = await uploadTemplate(stack, tenant);
  tell(words.template(template));

  heading(words.sign);
  const askedAt = performance.now();
  const request = await requestSignature(stack, tenant, template);
  tell(words.request(request));

  heading(words.wait);
  tell(words.signed(await whenSigned(stack, tenant, request, 30_000), performance.now() - askedAt));

  heading(words.webhook);
  await receiveEvent(receiver, request, tenant);

  heading(words.download);
  const sealed = await downloadSealed(stack, tenant, request);
  tell(words.saved(path.relative(WORKSPACE, path.join(PLACES.demo, 'contrato-sellado.pdf')), sealed.pdf.length));

  heading(words.verify);
  proveWithOpenssl(sealed);
  if (!sealHolds(sealed)) throw new Error('the downloaded file does not match its hash and signature');

  heading(words.ledger);
  for (const entry of await ledger(stack, tenant)) tell(words.entry(entry));

  heading(words.deliveries);
  for (const one of await deliveries(stack, tenant, 10_000)) tell(`${one.id}  ${one.event_type}  ${one.status}`);

  console.log(`${words.done} ${path.join(PLACES.demo, 'contrato-sellado.pdf')}`);
}

const flags = process.argv.slice(2).filter((flag) => !['--capture', '--console', '--load', '--topup'].includes(flag));
const topsUp = process.argv.includes('--topup');
if (process.argv.includes('--capture')) await showCapture();
if (process.argv.includes('--console')) await showConsole(flags);
if (process.argv.includes('--load')) await showLoad(flags);
console.log(topsUp ? words.topupTitle : words.title);
const startedHere = runningLauncher() === null;
if (startedHere) console.log(words.starting);
if (startedHere && !launcher('start.mjs', ['--detach', ...flags])) process.exit(1);
const receiver = await openReceiver();
try {
  await (topsUp ? walkTopup : walk)(readJson(PLACES.stack), receiver);
} catch (error) {
  console.error(`\n${words.failed} ${error.message}`);
  process.exitCode = 1;
} finally {
  receiver.close();
  if (startedHere) {
    console.log(words.stopping);
    launcher('stop.mjs', []);
  }
}
