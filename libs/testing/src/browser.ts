import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine, or null when it has none. */
export const BROWSER_PATH: string | null =
  process.env.CHROMIUM_PATH ?? NAMES.map(locate).find((path) => path !== null) ?? null;

function locate(name: string): string | null {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Whether tests with a browser can run; says plainly what is missing when they cannot. */
export function browserInstalled(what: string): boolean {
  if (BROWSER_PATH === null) console.warn(`${what} is not run: no chromium on this machine`);
  return BROWSER_PATH !== null;
}

/** A headless browser. Without its sandbox: root, and containers, have none; it opens nothing but our own pages. */
export function openBrowser(more: string[] = []): Promise<Browser> {
  if (BROWSER_PATH === null) throw new Error('no chromium on this machine');
  return chromium.launch({
    executablePath: BROWSER_PATH,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none', ...more],
  });
}
