import type { Drawing } from '../drawing.ts';
import type { CompletionFacts } from './facts.ts';
import { GREY, heightOf, labelled, PANEL, panel, text } from './sheets.ts';
import type { Block, Place, Table, Written } from './sheets.ts';
import type { CompletionTexts } from './texts.ts';

const PARAGRAPH: Written = { size: 9, lines: 2 };
const LABEL: Written = { size: 8, colour: GREY };
const DIGEST: Written = { size: 7, face: 'fixed' };
const COMMAND: Written = { size: 8, face: 'fixed' };
const KEY: Table = { labelWidth: 130, rowHeight: 14, label: LABEL };
const ROW_PT = 14;

/** The head of the chain of evidence. */
export function chainBlock(facts: CompletionFacts, texts: CompletionTexts): Block {
  return { height: 60, draw: (place) => chain(facts, texts, place) };
}

/** How to verify the document without the service. */
export function offlineBlock(facts: CompletionFacts, texts: CompletionTexts): Block {
  return { height: 146, draw: (place) => offline(facts, texts, place) };
}

function chain({ head: { seq, hash } }: CompletionFacts, { chain: words }: CompletionTexts, place: Place): Drawing[] {
  const box = { ...place, top: place.top - heightOf(PARAGRAPH) - 6 };
  const inner = { ...box, left: box.left + 10, width: box.width - 20 };
  return [
    text(words.about, place, PARAGRAPH),
    panel(box, 30, PANEL),
    text(words.head(seq), { ...inner, top: box.top - 5 }, LABEL),
    text(hash, { ...inner, top: box.top - 16 }, DIGEST),
  ];
}

function offline({ key }: CompletionFacts, { offline: words, files }: CompletionTexts, place: Place): Drawing[] {
  const commands = { ...place, top: place.top - heightOf(PARAGRAPH) - 6 };
  const inner = { ...commands, left: commands.left + 10, width: commands.width - 20 };
  const lines: [string, Written][] = [
    [words.embedded, LABEL],
    [`pdfsig ${files.document}`, COMMAND],
    [words.detached, LABEL],
    [`xxd -r -p ${files.signature}.hex > ${files.signature}.bin`, COMMAND],
    [`openssl dgst -sha256 -verify ${files.key} -signature ${files.signature}.bin ${files.document}`, COMMAND],
  ];
  const keys = { ...place, top: commands.top - lines.length * ROW_PT - 16 };
  return [
    text(words.about, place, PARAGRAPH),
    panel(commands, lines.length * ROW_PT + 8, PANEL),
    ...lines.map(([line, written], nth) =>
      text(line, { ...inner, top: commands.top - 4 - nth * ROW_PT }, written, ROW_PT),
    ),
    ...labelled(
      [
        [words.key, key.url, { size: 8 }],
        [words.fingerprint, key.fingerprint, DIGEST],
      ],
      keys,
      KEY,
    ),
  ];
}
