import { PLACES, readJson } from './places.mjs';
import { CallRefused, call, signUp } from './main-job.mjs';

/** The tenant of this local stack: the one that stack.json remembers while its key still works, else a new one. */
export async function demoTenant(urls) {
  const kept = readJson(PLACES.stack)?.tenant;
  if (kept && (await keyWorks(urls, kept.api_key))) return kept;
  try {
    return await signUp(urls, 'demo');
  } catch (error) {
    if (error instanceof CallRefused && error.status === 409) return signUp(urls);
    throw error;
  }
}

async function keyWorks(urls, key) {
  try {
    await call('GET', `${urls.base_url}/v1/billing/balance`, { key, expect: 200 });
    return true;
  } catch (error) {
    if (error instanceof CallRefused && error.status === 401) return false;
    throw error;
  }
}
