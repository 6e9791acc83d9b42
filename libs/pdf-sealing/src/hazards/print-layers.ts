import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFString } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';
import type { Finding } from './finding.ts';
import type { Places } from './places.ts';

const name = (text: string) => PDFName.of(text);
const OFF = name('OFF');

/**
 * Layers that are shown and not printed, or the other way round (ISO 32000-1, 8.11.4.4): the usage of a layer turns it on or off for an event.
 * Readers apply it where the configuration says so (/AS), some always (MuPDF): either counts.
 */
export function* printLayers(catalog: PDFDict, places: Places): Generator<Finding> {
  const properties = dictAt(catalog, 'OCProperties', places);
  if (!properties) return;
  const configuration = dictAt(properties, 'D', places);
  const [on, off] = ['ON', 'OFF'].map((key) => new Set(layersAt(configuration, key, places).map(({ dict }) => dict)));
  const base = configuration && places.resolve(configuration.get(name('BaseState'))) !== OFF;
  for (const { dict } of layersAt(properties, 'OCGs', places)) {
    const state = off?.has(dict) ? false : on?.has(dict) ? true : (base ?? true);
    const usage = dictAt(dict, 'Usage', places);
    if (!usage) continue;
    const shown = stateFor(usage, 'View', places) ?? state;
    const printed = stateFor(usage, 'Print', places) ?? state;
    if (shown !== printed) yield finding(dict, shown, places);
  }
}

function finding(layer: PDFDict, shown: boolean, places: Places): Finding {
  const title = places.resolve(layer.get(name('Name')));
  const text = title instanceof PDFString || title instanceof PDFHexString ? title.decodeText() : '';
  const called = text.replaceAll(/[\p{C}"]/gu, '').slice(0, 80);
  const layerWords = called ? `The layer "${called}"` : `A layer (${places.wordsOf(layer)})`;
  const how = shown ? 'is shown on the screen and not printed' : 'is printed and not shown on the screen';
  return { code: 'has_print_layer', detail: `${layerWords} ${how}. Make it the same for both, or remove it.` };
}

function stateFor(usage: PDFDict, event: 'View' | 'Print', places: Places): boolean | undefined {
  const state = places.resolve(dictAt(usage, event, places)?.get(name(`${event}State`)));
  return state instanceof PDFName ? state !== OFF : undefined;
}

function dictAt(dict: PDFDict | undefined, key: string, places: Places): PDFDict | undefined {
  const value = places.resolve(dict?.get(name(key)));
  return value instanceof PDFDict ? value : undefined;
}

function layersAt(dict: PDFDict | undefined, key: string, places: Places): { dict: PDFDict; ref: PDFObject }[] {
  const list = places.resolve(dict?.get(name(key)));
  if (!(list instanceof PDFArray)) return [];
  return list.asArray().flatMap((ref) => {
    const layer = ref instanceof PDFRef ? places.resolve(ref) : ref;
    return layer instanceof PDFDict ? [{ dict: layer, ref }] : [];
  });
}
