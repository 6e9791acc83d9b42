import fs from 'node:fs';
import path from 'node:path';
import { sharedPath } from '@constancia/testing/shared-folder';
import { PDFArray, PDFDict, PDFName } from 'pdf-lib';
import type { PDFRef } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { entriesText, itemsText, objectText } from '../append/object-text.ts';
import { inspectDocument } from '../inspect-document.ts';
import { loadDocument } from '../load-document.ts';
import { pageTree } from '../pages.ts';
import { HAZARD_CODES } from './finding.ts';

/** Public PDFs of many producers, next to the repository and never in it. */
const FOLDER = sharedPath('pdfs', 'py-pdf') ?? '';
const MOST_BYTES = 150_000;
const LEFT_OUT = /password|unreadable/;
const files = fs.existsSync(FOLDER)
  ? fs
      .readdirSync(FOLDER)
      .filter((file) => !LEFT_OUT.test(file) && fs.statSync(path.join(FOLDER, file)).size < MOST_BYTES)
  : [];
if (files.length === 0) console.log('skipped: ../shared/pdfs is not here');

/** What the files of the collection really carry. The others carry nothing. */
const OWN: Record<string, string[]> = {
  'pdflatex-forms.pdf': ['has_submit_form'],
  'with-attachment.pdf': ['has_embedded_file'],
};
const MUTATIONS_IN_ALL = 4_000;

interface Change {
  /** Entries for the catalog, for page 1, and annotations of page 1. */
  catalog?: string;
  page?: string;
  annotation?: string;
  /** Further objects: `A` in a body stands for the first one's number, `B` for the second's. `P`: page 1. */
  objects?: string[];
  /** Between objects. */
  comment?: string;
}

const note = (subtype: string, entries = '') =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [9 9 20 20] /Contents (JavaScript) ${entries} >>`;
const layers = (usage: string, state = '') => ({
  catalog: `/OCProperties << /OCGs [A] /D << /Order [A] ${state} >> >>`,
  objects: [`<< /Type /OCG /Name (Launch) ${usage} >>`],
});

/** What programs do to documents every day. */
const ORDINARY: Record<string, Change> = {
  'opens at a page': { catalog: '/OpenAction [P /FitH 700]' },
  'opens by an action at a page': { catalog: '/OpenAction << /Type /Action /S /GoTo /D [P /Fit] >>' },
  'opens at the next page': { catalog: '/OpenAction << /S /Named /N /NextPage >>' },
  'shows bookmarks': { catalog: '/PageMode /UseOutlines /Outlines A', objects: ['<< /First B /Last B /Count 1 >>', '<< /Title (Launch) /Parent A /A << /S /GoTo /D [P /Fit] >> >>'] },
  'has a language': { catalog: '/Lang (es-CO) /ViewerPreferences << /DisplayDocTitle true /PrintScaling /None >>' },
  'has escaped names': { catalog: '/#4c#61ng (es) /Page#4cayout /SinglePage' },
  'has named places': { catalog: '/Names << /Dests << /Names [(JavaScript) [P /Fit]] >> >>' },
  'has an empty list of files': { catalog: '/Names << /EmbeddedFiles << /Names [] >> >>' },
  'has metadata': { catalog: '/Metadata A', objects: ['<< /Type /Metadata /Subtype /XML /Length 54 >>\nstream\n<x:xmpmeta>JavaScript Launch EmbeddedFile</x:xmpmeta>  \nendstream'] },
  'has page labels': { catalog: '/PageLabels << /Nums [0 << /S /D /P (JS) >>] >>' },
  'is tagged': { catalog: '/MarkInfo << /Marked true >> /StructTreeRoot A', objects: ['<< /Type /StructTreeRoot /K B >>', '<< /Type /StructElem /S /Document /P A /Pg P >>'] },
  'has an output intent': { catalog: '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) >>]' },
  'has a layer': layers(''),
  'has a hidden layer': layers('', '/OFF [A]'),
  'has a layer for both': layers('/Usage << /View << /ViewState /ON >> /Print << /PrintState /ON >> >>', '/AS [<< /Event /Print /Category [/Print] /OCGs [A] >>]'),
  'has a layer for a zoom': layers('/Usage << /Zoom << /min 1 >> /CreatorInfo << /Creator (x) /Subtype /Artwork >> >>'),
  'has a form': { catalog: '/AcroForm << /Fields [A] /NeedAppearances true /DA (/Helv 0 Tf) >>', objects: ['<< /Type /Annot /Subtype /Widget /FT /Tx /T (JavaScript) /V (SubmitForm) /Rect [0 0 9 9] >>'] },
  'has a field for a signature': { catalog: '/AcroForm << /Fields [A] /SigFlags 1 >>', objects: ['<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 0 0] >>'] },
  'has a check box': { annotation: '<< /Type /Annot /Subtype /Widget /FT /Btn /T (XFA) /V /Off /AS /Off /MK << /CA (4) >> /Rect [0 0 9 9] >>' },
  'is turned': { page: '/Rotate 180' },
  'has a cropped page': { page: '/CropBox [0 0 300 300] /TrimBox [0 0 300 300]' },
  'has a page with a transition': { page: '/Trans << /Type /Trans /S /Fly /D 1 >> /Dur 9' },
  'has tab order': { page: '/Tabs /S /UserUnit 1' },
  'goes to a page by itself': { page: '/AA << /C << /S /GoTo /D [P /Fit] >> >>' },
  'links to an address': { annotation: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /Type /Action /S /URI /URI (https://example.co/#javascript:) >> >>' },
  'links to a page': { annotation: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [P /Fit] >>' },
  'links by an action to a page': { annotation: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoTo /D (JavaScript) /Next << /S /GoTo /D [P /Fit] >> >> >>' },
  'links to another document': { annotation: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoToR /F (b.pdf) /D [0 /Fit] >> >>' },
  'links to the next page': { annotation: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Named /N /NextPage >> >>' },
  'has a comment': { annotation: note('Text', '/Name /Comment /Open false') },
  'is highlighted': { annotation: note('Highlight', '/QuadPoints [9 9 20 9 9 20 20 20] /C [1 1 0]') },
  'has a stamp': { annotation: note('Stamp', '/Name /Draft /AP << /N A >>'), objects: ['<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 10 >>\nstream\n0 0 9 9 re\nendstream'] },
  'has a drawing': { annotation: note('Ink', '/InkList [[9 9 20 20]] /BS << /W 1 /S /D >>') },
  'has an unused object': { objects: ['<< /Creator (Launch JavaScript) /JS 3 >>'] },
  'has an information dictionary': { objects: ['<< /Title (/OpenAction << /S /JavaScript >>) /Producer (XFA) >>'] },
  'has a comment between objects': { comment: '% /OpenAction << /S /JavaScript /JS (x) >>\n' },
  'has a resource called JS': { page: '/Resources << /XObject << /JS A /XFA A /EF A >> >>', objects: ['<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream'] },
  'refers to a file elsewhere': { objects: ['<< /Type /Filespec /F (EmbeddedFile.exe) /UF (a) >>'] },
}; // prettier-ignore

/** A file as text, ready to have revisions put behind it. */
async function opened(pdf: Buffer) {
  const { document } = await loadDocument(pdf);
  const { context } = document;
  const root = context.trailerInfo.Root as PDFRef;
  const [page] = pageTree(document).pages;
  if (!page?.ref) return undefined;
  const annotations = page.dict.lookup(PDFName.of('Annots'));
  const form = context.lookup(root, PDFDict);
  return {
    pdf,
    root,
    page: page.ref,
    next: context.largestObjectNumber + 1,
    catalog: (without: string[]) => entriesText(form, without),
    pageEntries: (without: string[]) => entriesText(page.dict, without),
    annotations: annotations instanceof PDFArray ? itemsText(annotations) : '',
  };
}
type Opened = NonNullable<Awaited<ReturnType<typeof opened>>>;

const keysOf = (entries: string) =>
  [...entries.matchAll(/\/([A-Za-z#0-9]+)/g)].map(([, key]) => PDFName.of(key as string).decodeText());

/** The file with the changes in one appended revision. */
function changed(base: Opened, changes: readonly Change[]): Buffer {
  let next = base.next;
  const objects: [string, string][] = [];
  let [catalog, page, annotations] = ['', '', base.annotations];
  let comment = '';
  for (const change of changes) {
    const numbers = (change.objects ?? []).map(() => `${next++} 0 R`);
    const named = (text: string) =>
      text.replaceAll(/(?<![/\w(])([ABP])(?=[ \]>])/g, (_, letter: string) =>
        letter === 'P' ? objectText(base.page) : (numbers[letter === 'A' ? 0 : 1] ?? letter),
      );
    (change.objects ?? []).forEach((body, nth) =>
      objects.push([(numbers[nth] as string).replace(' R', ''), named(`${body} `)]),
    );
    if (change.catalog) catalog += `${named(`${change.catalog} `)} `;
    if (change.page) page += `${named(`${change.page} `)} `;
    if (change.annotation) annotations += ` ${named(`${change.annotation} `)}`;
    comment += change.comment ?? '';
  }
  const id = (ref: PDFRef) => objectText(ref).replace(' R', '');
  objects.push([id(base.root), `<< ${base.catalog(keysOf(catalog))} ${catalog} >>`]);
  objects.push([
    id(base.page),
    `<< ${base.pageEntries([...keysOf(page), 'Annots'])} ${page} /Annots [${annotations}] >>`,
  ]);
  const bodies = objects.map(([number, body]) => `${comment}${number} obj\n${body}\nendobj\n`).join('');
  const end = `trailer\n<< /Size ${next} /Root ${objectText(base.root)} >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.concat([base.pdf, Buffer.from(`\n${bodies}${end}`, 'latin1')]);
}

describe.skipIf(files.length === 0)('the public collection', () => {
  it(`has no false alarm in ${MUTATIONS_IN_ALL} ordinary mutations`, { timeout: 600_000 }, async () => {
    const names = Object.keys(ORDINARY);
    const bases = (await Promise.all(files.map(async (file) => ({ file, base: await opened(fs.readFileSync(path.join(FOLDER, file))) })))).filter(({ base }) => base); // prettier-ignore
    expect(bases.length).toBeGreaterThan(15);
    let seed = 20_261_122;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let nth = 0; nth < MUTATIONS_IN_ALL; nth++) {
      const { file, base } = bases[nth % bases.length] as (typeof bases)[number];
      const chosen = new Set([names[Math.floor(nth / bases.length) % names.length] as string]);
      for (let more = random(3); more > 0; more--) chosen.add(names[random(names.length)] as string);
      const { warnings } = await inspectDocument(
        changed(
          base as Opened,
          [...chosen].map((name) => ORDINARY[name] as Change),
        ),
        [],
      );
      const codes = new Set(
        warnings.map(({ code }) => code).filter((code) => HAZARD_CODES.some((one) => one === code)),
      );
      expect([...codes], `${file}, ${[...chosen].join(', ')}`).toEqual(OWN[file] ?? []);
    }
  });
});
