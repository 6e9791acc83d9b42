import { PDFArray, PDFDict, PDFHexString, PDFName, PDFStream, PDFString } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';
import type { Finding, HazardCode } from './finding.ts';
import type { Places } from './places.ts';

const name = (text: string) => PDFName.of(text);
const [S, JS, TYPE] = [name('S'), name('JS'), name('Type')];
/** Kinds of actions that are refused wherever they stand (ISO 32000-1, table 198). */
const REFUSED = new Map<PDFObject, HazardCode>([
  [name('JavaScript'), 'has_javascript'],
  [name('Launch'), 'has_launch_action'],
  [name('SubmitForm'), 'has_submit_form'],
  [name('ImportData'), 'has_import_data'],
]);
const SENTENCE: Partial<Record<HazardCode, (where: string) => string>> = {
  has_javascript: (where) =>
    `JavaScript in ${where}: it stays in every sealed file, and readers may run it. Remove it.`,
  has_launch_action: (where) => `An action in ${where} starts a program or opens a file. Remove it.`,
  has_submit_form: (where) => `An action in ${where} sends the form to another place. Remove it.`,
  has_import_data: (where) => `An action in ${where} imports data into the form. Remove it.`,
};
const TO_A_PAGE = new Set<PDFObject | undefined>(['FirstPage', 'PrevPage', 'NextPage', 'LastPage'].map(name));
const MOST_LINKED = 100;

/** JavaScript, and actions that do something outside the document, in one dictionary. */
export function* actionsIn(dict: PDFDict, owner: PDFObject, places: Places): Generator<Finding> {
  const of = (key: PDFName) => places.resolve(dict.get(key));
  const kind = of(S);
  const code = kind && of(TYPE) !== name('StructElem') ? REFUSED.get(kind) : undefined;
  if (code) yield findingOf(code, owner, places);
  const scripts =
    isText(of(JS)) ||
    (kind === name('Rendition') && dict.has(JS)) ||
    of(name('JavaScript')) instanceof PDFDict ||
    of(name('OnInstantiate')) instanceof PDFStream ||
    isScriptUri(of(name('URI')));
  if (scripts && code !== 'has_javascript') yield findingOf('has_javascript', owner, places);
  const triggers = of(name('AA'));
  if (triggers instanceof PDFDict)
    for (const [event, action] of triggers.entries())
      if (!goesToPage(action, places)) yield automatic(owner, event.decodeText(), places);
}

/** What the document does when it is opened. */
export function* openAction(catalog: PDFDict, places: Places): Generator<Finding> {
  const action = places.resolve(catalog.get(name('OpenAction')));
  if (action instanceof PDFDict && !goesToPage(action, places)) yield automatic(catalog, 'OpenAction', places);
}

function findingOf(code: HazardCode, owner: PDFObject, places: Places): Finding {
  return { code, detail: (SENTENCE[code] as (where: string) => string)(places.wordsOf(owner)) };
}

function automatic(owner: PDFObject, event: string, places: Places): Finding {
  const where = places.wordsOf(owner);
  const trigger = /^[A-Za-z]{1,20}$/.test(event) ? event : 'unknown';
  const detail = `An action in ${where} runs by itself (${trigger}) and does more than go to a page. Remove it.`;
  return { code: 'has_automatic_action', detail };
}

/** Whether an action, and all that follow it, only shows another page of the document. */
function goesToPage(value: PDFObject | undefined, places: Places): boolean {
  const open = [value];
  const known = new Set<PDFObject>();
  for (let linked = 0; open.length > 0; linked++) {
    const action = places.resolve(open.pop());
    if (action instanceof PDFArray) open.push(...action.asArray());
    if (!(action instanceof PDFDict) || known.has(action)) continue;
    known.add(action);
    const kind = places.resolve(action.get(S));
    const shows =
      kind === name('GoTo') || (kind === name('Named') && TO_A_PAGE.has(places.resolve(action.get(name('N')))));
    if ((kind !== undefined && !shows) || linked > MOST_LINKED) return false;
    open.push(action.get(name('Next')));
  }
  return true;
}

const isText = (value: PDFObject | undefined) => value instanceof PDFString || value instanceof PDFHexString;

function isScriptUri(value: PDFObject | undefined): boolean {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return false;
  return /^[\s\0]*javascript:/i.test(value.decodeText());
}
