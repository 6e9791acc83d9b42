/** The operators' page: a token, then one view per section. The address after # says which: it can be kept and sent on, the token not. */
import { forget, offers, operatorName, OpsError, signedIn, signIn } from './api.js';
import { showAudit } from './audit.js';
import { showDeliveries, showDelivery } from './deliveries.js';
import { button, el, field, valuesOf } from './elements.js';
import { showEndpoints } from './endpoints.js';
import { showGrants } from './grants.js';
import { showLag } from './lag.js';
import { showReplay, showRun } from './replays.js';
import { showLedger } from './ledger.js';
import { refreshEvery, setRefresh, stopLooking, tell } from './looking.js';
import { showCases, showLists, showSeals } from './modules.js';
import { showTenant, showTenants } from './tenants.js';
import { showTrace } from './trace.js';
import { currentLocale, setLocale, t } from './words.js';

/** How often a view refreshes itself. */
const REFRESH_MS = 10_000;

/** What a process must answer for a section to be shown; the others are the platform's. */
const NEEDS = {
  lag: '/ops/lag',
  grants: '/ops/grants',
  lists: '/ops/lists',
  cases: '/ops/cases/overdue',
  seals: '/ops/seals',
};

/** In the order of the navigation. */
const SECTIONS = {
  lag: showLag,
  deliveries: (id) => (id ? showDelivery(id) : showDeliveries()),
  replay: (id) => (id ? showRun(id) : showReplay()),
  endpoints: showEndpoints,
  tenants: (name) => (name ? showTenant(name) : showTenants()),
  grants: showGrants,
  ledger: showLedger,
  lists: showLists,
  cases: showCases,
  seals: showSeals,
  trace: showTrace,
  audit: showAudit,
};

const header = document.getElementById('header');
const main = document.getElementById('main');
let views = 0;

/** What went wrong, in the reader's words. */
function sentenceOf(error) {
  if (!(error instanceof OpsError)) throw error;
  if (error.status === 0) return t('away');
  if (error.status === 401) return t('wrongToken');
  return error.message || t('refused', { status: error.status });
}

function alertOf(error) {
  return el('p', { class: 'alert', role: 'alert' }, sentenceOf(error));
}

/** What stands behind "#"; nothing when it is no encoded text, as in a link that was cut. */
function hashText() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

const sections = () => Object.keys(SECTIONS).filter((name) => offers(NEEDS[name] ?? '/ops/audit'));

/** Where the reader is: the section, and what of it. */
function place() {
  const [section, ...rest] = hashText().split('/');
  return Object.hasOwn(SECTIONS, section) && (!signedIn() || sections().includes(section))
    ? { section, id: rest.join('/') }
    : { section: 'lag', id: '' };
}

function drawHeader() {
  document.documentElement.lang = currentLocale() === 'es' ? 'es-CO' : 'en';
  document.title = `${t('title')} · Constancia`;
  document.getElementById('skip').textContent = t('skip');
  const languages = field({
    name: 'language',
    label: t('language'),
    options: [
      ['es', 'Español'],
      ['en', 'English'],
    ],
    onchange: ({ target }) => {
      setLocale(target.value);
      void draw();
    },
  });
  languages.querySelector('select').value = currentLocale();
  const { section } = place();
  const items = sections().map((name) =>
    el('li', {}, el('a', { href: `#${name}`, 'aria-current': name === section ? 'page' : null }, t(name))),
  );
  const who = signedIn() ? [el('span', {}, operatorName()), button(t('leave'), leave, { class: 'quiet' })] : [];
  header.replaceChildren(
    el('div', {}, el('strong', {}, `Constancia · ${t('title')}`), el('div', { class: 'who' }, ...who, languages)),
    ...(signedIn() ? [el('nav', { 'aria-label': t('nav') }, el('ul', {}, ...items))] : []),
  );
}

function leave() {
  forget();
  void draw();
}

function signInForm() {
  const problem = el('div');
  const form = el(
    'form',
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const { token = '', operator = '' } = valuesOf(form);
        try {
          await signIn(token, operator);
          await draw();
        } catch (error) {
          problem.replaceChildren(alertOf(error));
        }
      },
    },
    problem,
    el('p', {}, t('signInAbout')),
    field({ name: 'operator', label: t('yourName'), hint: t('nameHint'), pattern: '[ -~]{1,128}' }),
    field({ name: 'token', label: t('token'), type: 'password', required: true }),
    el('button', { type: 'submit' }, t('signIn')),
  );
  return form;
}

/** Draws where the reader is now; what an earlier view still brings comes too late. `quietly`: the same view again, by itself. */
async function draw(quietly = false) {
  const mine = ++views;
  stopLooking();
  setRefresh(quietly);
  if (!quietly) {
    tell('');
    drawHeader();
  }
  const heading = el('h1', { tabindex: '-1' }, signedIn() ? t(place().section) : t('signIn'));
  if (!signedIn()) return main.replaceChildren(heading, signInForm());
  if (!quietly) main.replaceChildren(heading, el('p', {}, t('loading')));
  const { section, id } = place();
  const content = await SECTIONS[section](id).catch((error) => [alertOf(error)]);
  if (mine !== views) return;
  main.replaceChildren(heading, ...content);
  refreshEvery(REFRESH_MS);
  if (!quietly) heading.focus();
}

addEventListener('hashchange', () => void draw());
addEventListener('ops:again', () => void draw());
addEventListener('ops:refresh', () => void draw(true));
addEventListener('unhandledrejection', (event) => {
  if (!(event.reason instanceof OpsError)) return;
  event.preventDefault();
  main.prepend(alertOf(event.reason));
});
void draw();
