/**
 * The capture page of a deployment in a headless browser, while a drawn cédula is moved about before its camera: the page looks for the
 * card and never takes a picture. How many frames it looks at, and how long its main thread is busy at a time. A browser can slow
 * down only the main thread of a page, so the answers of the worker are delayed as if it were slowed down too. The camera's own work is not
 * part of the page and is not slowed down. Processor time does not depend on what else runs on the machine.
 */
import { drawnCedula, photographed } from '@constancia/document-reading/rendered';
import { sleep } from '@constancia/kernel';
import { VIEWPORTS } from '@constancia/testing/watched-page';
import { FakeCamera, frameOf } from '../../apps/person-web/e2e/fake-camera.ts';
import { observed, observeResources } from '../../apps/person-web/e2e/observed-resources.ts';
import { SPANISH } from '../../apps/person-web/src/text/spanish.ts';
import { hostedSession } from '../e2e/capture-visit.fixture.ts';
import { CapturePerson } from '../e2e/signer-identity.fixture.ts';
import { benchDeployment } from './bench-deployment.ts';
import { type BenchRow, report } from './measure.ts';

const SLOWER = 4;
const MEASURED_MS = 20_000;
const LEAST_PER_SECOND = 10;
const LONGEST_TASK_MS = 100;
/** Tasks of at most this length are not reported by browsers. */
const SHORT_MS = 50;
const GLARE = { x: 0.4, y: 0.5, radius: 0.22, strength: 1 };

/** The category that has the tasks of all threads. */
const TASKS = 'toplevel';

interface Observation {
  perSecond: number;
  looked: number;
  /** Of the page's main thread, on the clock; over SHORT_MS. */
  tasksMs: number[];
  /** Processor time of each task of the page's main thread, and of its workers. */
  pageMs: number[];
  workerMs: number[];
}

interface Trace {
  traceEvents: { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }[];
}

const { stack, integrator } = await benchDeployment(['platform'], { durable: false });
const { error } = await integrator.platform.POST('/v1/flows/seed-default');
if (error) throw new Error(`no flow: ${JSON.stringify(error)}`);
const camera = await FakeCamera.open();
camera.play(await movingCard());
const slow = await observePage({ slower: SLOWER, traced: false });
const full = await observePage({ slower: 1, traced: true });
await camera.close();
await stack.close();

/**
 * The frames of a card that turns from side to side and moves nearer and further away, in a second and a half that is repeated. A
 * reflection on it keeps the page from taking a picture when a busy machine shows the same frame for long.
 */
async function movingCard(): Promise<Buffer[]> {
  const { images } = await drawnCedula(1, (card) => Promise.resolve(Buffer.from(card)));
  const frames: Buffer[] = [];
  for (let nth = 0; nth < 15; nth++) {
    const turn = (2 * Math.PI * nth) / 15;
    const moved = { fill: 0.76 + 0.08 * Math.cos(turn), skew: 9 * Math.sin(turn) };
    const photo = await photographed(images.front as Uint8Array, { width: 1280, quality: 95, glare: GLARE, ...moved });
    const frame = await frameOf(photo, 'card');
    frames.push(frame, frame, frame);
  }
  return frames;
}

/** A person at the document's front, for a while; with what the threads of the page did meanwhile where `traced`. */
async function observePage({ slower, traced }: { slower: number; traced: boolean }): Promise<Observation> {
  const { url } = await hostedSession(integrator, { documentNumber: '1094726153' });
  await new CapturePerson(url).consent();
  const context = await camera.browser.newContext({ ...VIEWPORTS.phone, locale: 'es-CO', permissions: ['camera'] });
  const page = await context.newPage();
  await observeResources(page, slower);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(url);
  await page.locator('.said[data-advice]:not([data-advice=""])').waitFor({ timeout: 60_000 });
  if (traced) await camera.browser.startTracing(page, { categories: [TASKS] });
  const began = await page.evaluate<number>('performance.now()');
  await sleep(MEASURED_MS);
  const { frames, longTasks } = await observed(page);
  const ended = await page.evaluate<number>('performance.now()');
  const trace = traced ? (JSON.parse((await camera.browser.stopTracing()).toString()) as Trace) : { traceEvents: [] };
  if (!(await page.getByRole('heading', { level: 1, name: SPANISH.document.front }).isVisible()))
    throw new Error('the page went on, and looked for nothing meanwhile');
  await context.close();
  const looked = frames.filter(({ atMs }) => atMs >= began && atMs <= ended);
  return {
    perSecond: (looked.length * 1_000) / (ended - began),
    looked: looked.length,
    tasksMs: longTasks.filter(({ startMs }) => startMs >= began).map(({ durationMs }) => durationMs),
    pageMs: processorMs(trace, 'CrRendererMain'),
    workerMs: processorMs(trace, 'DedicatedWorker thread'),
  };
}

function placeOf({ pid, tid }: { pid: number; tid: number }): string {
  return `${pid} ${tid}`;
}

/** Of each task of the threads of this name. */
function processorMs({ traceEvents }: Trace, thread: string): number[] {
  const threads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === thread).map(placeOf),
  );
  return traceEvents
    .filter((event) => event.name === 'ThreadControllerImpl::RunTask' && threads.has(placeOf(event)))
    .map(({ tdur }) => (tdur ?? 0) / 1_000);
}

const row = (name: string, ours: string, goal = '–'): BenchRow => ({ name, ours, other: '–', ratio: null, goal });
const longest = ({ tasksMs }: Observation): string =>
  tasksMs.length === 0 ? `none over ${SHORT_MS} ms` : `${Math.max(...tasksMs).toFixed(0)} ms (${tasksMs.length} over ${SHORT_MS} ms)`; // prettier-ignore
const eachFrame = (tasks: number[]): number => tasks.reduce((sum, ms) => sum + ms, 0) / full.looked;
const [pageMs, workerMs] = [eachFrame(full.pageMs), eachFrame(full.workerMs)];

report([
  row(`Processor ${SLOWER} times slower: frames looked at, per second`, slow.perSecond.toFixed(1), `≥ ${LEAST_PER_SECOND}`), // prettier-ignore
  row(`Processor ${SLOWER} times slower: longest task of the page`, longest(slow), `≤ ${LONGEST_TASK_MS} ms`),
  row('At full speed: frames looked at, per second (at most 20)', full.perSecond.toFixed(1)),
  row('At full speed: longest task of the page', longest(full)),
  row('Processor time for each frame: the page, its worker', `${pageMs.toFixed(1)} ms, ${workerMs.toFixed(1)} ms`, `together ≤ ${1_000 / LEAST_PER_SECOND / SLOWER} ms`), // prettier-ignore
  row('Processor time of the longest task of the page', `${Math.max(...full.pageMs).toFixed(1)} ms`, `≤ ${LONGEST_TASK_MS / SLOWER} ms`), // prettier-ignore
]);
