import type { Page } from 'playwright-core';

/** What a page holds that has to be given back, and what it did meanwhile. */
export interface Observed {
  /** Tracks of the camera that are live. */
  tracks: number;
  /** Bitmaps that were not closed, object URLs that were not revoked, workers that were not terminated. */
  bitmaps: number;
  urls: number;
  workers: number;
  /** Frames that a worker held when it was terminated: nothing closes them. */
  lost: number;
  /** Milliseconds from a frame that went to the worker to what it said of it, and when it said so (performance.now). */
  frames: { tookMs: number; atMs: number }[];
  /** Tasks of the main thread over 50 ms. */
  longTasks: { startMs: number; durationMs: number }[];
}

/**
 * Notes all that from the next load of the page on. `slower`: each answer of a worker is held back in it until its work has taken this many
 * times as long, since the browser's own throttling slows the main thread alone.
 */
export async function observeResources(page: Page, slower = 1): Promise<void> {
  await page.addInitScript(`(${OBSERVER})()`);
  if (slower > 1) page.on('worker', (worker) => void worker.evaluate(`(${SLOW_WORKER})(${slower})`));
}

export const observed = (page: Page): Promise<Observed> => page.evaluate<Observed>('observedResources()');

const OBSERVER = String.raw`() => {
  const [tracks, bitmaps, urls, workers] = [new Set(), new Set(), new Set(), new Set()];
  const [frames, longTasks] = [[], []];
  let lost = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ startMs: startTime, durationMs: duration });
  }).observe({ type: 'longtask', buffered: true });

  const devices = navigator.mediaDevices;
  const open = devices?.getUserMedia.bind(devices);
  if (devices) devices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    for (const track of stream.getTracks()) tracks.add(track);
    return stream;
  };

  const [createUrl, revokeUrl] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)];
  URL.createObjectURL = (object) => { const url = createUrl(object); urls.add(url); return url; };
  URL.revokeObjectURL = (url) => { urls.delete(url); revokeUrl(url); };

  const create = window.createImageBitmap.bind(window);
  window.createImageBitmap = async (...source) => { const bitmap = await create(...source); bitmaps.add(bitmap); return bitmap; };
  const close = ImageBitmap.prototype.close;
  ImageBitmap.prototype.close = function () { bitmaps.delete(this); close.call(this); };

  window.Worker = class extends window.Worker {
    #sentAt = 0;
    #holds = false;
    #hear = null;
    constructor(...how) {
      super(...how);
      workers.add(this);
      this.addEventListener('message', (event) => {
        this.#holds = false;
        frames.push({ tookMs: performance.now() - this.#sentAt, atMs: performance.now() });
        this.#hear?.call(this, event);
      });
    }
    set onmessage(hear) { this.#hear = hear; }
    get onmessage() { return this.#hear; }
    postMessage(...message) { this.#sentAt = performance.now(); super.postMessage(...message); this.#holds = true; }
    terminate() { if (this.#holds) lost += 1; workers.delete(this); super.terminate(); }
  };

  window.observedResources = () => ({
    tracks: [...tracks].filter(({ readyState }) => readyState === 'live').length,
    bitmaps: bitmaps.size, urls: urls.size, workers: workers.size, lost, frames, longTasks,
  });
}`;

const SLOW_WORKER = String.raw`(slower) => {
  let askedAt = performance.now();
  let hear = self.onmessage;
  self.onmessage = null;
  addEventListener('message', (event) => { askedAt = performance.now(); hear?.call(self, event); });
  Object.defineProperty(self, 'onmessage', { get: () => hear, set: (handler) => { hear = handler; } });
  const post = self.postMessage.bind(self);
  self.postMessage = (message) => { setTimeout(post, (performance.now() - askedAt) * (slower - 1), message); };
}`;
