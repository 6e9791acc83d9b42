import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { MadePdf, pagesPdf } from '../made-pdf.fixture.ts';
import type { HazardCode } from './finding.ts';

const CATALOG = '/Type /Catalog /Pages 2 0 R';
const BOX = '/MediaBox [0 0 400 600]';
const SCRIPT = '/S /JavaScript /JS (app.alert(1))';

const catalog = (entries: string) => pagesPdf([BOX, BOX]).object(1, `<< ${CATALOG} ${entries} >>`);
const page = (entries: string) => pagesPdf([BOX, `${BOX} ${entries}`]);
const annotation = (entries: string) =>
  page('/Annots [20 0 R]').object(20, `<< /Type /Annot /Rect [0 0 9 9] ${entries} >>`);
const link = (action: string) => annotation(`/Subtype /Link /A ${action}`);
const field = (entries: string) =>
  annotation(`/Subtype /Widget /FT /Tx /T (a) ${entries}`).object(
    1,
    `<< ${CATALOG} /AcroForm << /Fields [20 0 R] >> >>`,
  );
const layer = (usage: string, configuration = '') =>
  catalog(`/OCProperties << /OCGs [20 0 R] /D << ${configuration} >> >>`).object(20, `<< /Type /OCG /Name (Capa) /Usage << ${usage} >> >>`); // prettier-ignore
const file = (made: MadePdf) =>
  made.stream(30, 'MZ\\x90', '/Type /EmbeddedFile').object(31, '<< /Type /Filespec /F (a.exe) /EF << /F 30 0 R >> >>');
const AS_PRINT = '/AS [<< /Event /Print /Category [/Print] /OCGs [20 0 R] >>]';

/** Moves an object into an object stream that a cross-reference stream leads to; the file keeps its table, too (a hybrid). */
function packed(body: string): Buffer {
  const head = '20 0 ';
  const stream = deflateSync(head + body);
  const base = pagesPdf([BOX, BOX]).object(1, `<< ${CATALOG} /OpenAction 20 0 R >>`).bytes();
  const text = base.toString('latin1');
  const previous = /startxref\n(\d+)/.exec(text)?.[1] as string;
  const object = Buffer.concat([Buffer.from(`21 0 obj\n<< /Type /ObjStm /N 1 /First ${head.length} /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`), stream, Buffer.from('\nendstream\nendobj\n')]); // prettier-ignore
  const at = base.length + object.length;
  const row = (type: number, second: number, third: number) => [type, second >> 8, second & 255, third];
  const rows = Buffer.from([row(2, 21, 0), row(1, base.length, 0), row(1, at, 0)].flat());
  const reference = Buffer.concat([
    Buffer.from(`22 0 obj\n<< /Type /XRef /Size 23 /Index [20 3] /W [1 2 1] /Root 1 0 R /Prev ${previous} /Length ${rows.length} >>\nstream\n`),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ]); // prettier-ignore
  return Buffer.concat([base, object, reference]);
}

/** A revision behind a file that replaces an object. */
export function revised(pdf: Buffer, number: number, body: string): Buffer {
  const previous = [...pdf.toString('latin1').matchAll(/startxref\n(\d+)/g)].at(-1)?.[1] as string;
  const object = `${number} 0 obj\n${body}\nendobj\n`;
  const table = `xref\n${number} 1\n${String(pdf.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 99 /Root 1 0 R /Prev ${previous} >>\n`;
  return Buffer.concat([pdf, Buffer.from(`${object}${table}startxref\n${pdf.length + object.length}\n%%EOF\n`)]);
}

const MEGABYTE = 1024 * 1024;
const SPACE = 32;

/** Spaces as zlib compresses them, from one compressed megabyte that is repeated: the spaces themselves are never in memory. */
function compressedSpaces(megabytes: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(MEGABYTE, SPACE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const length = BigInt(megabytes * MEGABYTE);
  const low = (1n + length * BigInt(SPACE)) % 65_521n;
  const high = (length + (BigInt(SPACE) * length * (length + 1n)) / 2n) % 65_521n;
  const adler = Buffer.alloc(4);
  adler.writeUInt32BE(Number((high << 16n) | low));
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array<Buffer>(megabytes).fill(part), Buffer.from([3, 0]), adler]);
}

const bomb = (megabytes: number) => deflateSync(compressedSpaces(megabytes), { level: 9 });
const contentBomb = (megabytes: number) =>
  page('/Contents 30 0 R').stream(30, bomb(megabytes), '/Filter [/FlateDecode /FlateDecode]');

/** Files that may not be published: what is found in each, and a part of the place that the sentence names. */
export const HAZARDOUS: [string, HazardCode[], string, () => Buffer][] = [
  ['JavaScript on opening', ['has_javascript', 'has_automatic_action'], 'the document itself', () => catalog(`/OpenAction << ${SCRIPT} >>`).bytes()],
  ['JavaScript in the list of names', ['has_javascript'], 'the document itself', () => catalog(`/Names << /JavaScript << /Names [(a) << ${SCRIPT} >>] >> >>`).bytes()],
  ['JavaScript under an escaped name', ['has_javascript'], 'page 2', () => link('<< /#53 /J#61va#53cript /J#53 (x) >>').bytes()],
  ['JavaScript through references', ['has_javascript'], 'page 2', () => link('21 0 R').object(21, '<< /S 22 0 R /JS 23 0 R >>').object(22, '/JavaScript').stream(23, 'x').bytes()],
  ['JavaScript in an object stream', ['has_javascript', 'has_automatic_action'], 'the document itself', () => packed(`<< ${SCRIPT} >>`)],
  ['JavaScript of another generation', ['has_javascript'], 'page 2', () => link('21 3 R').object(21, `<< ${SCRIPT} >>`).bytes()],
  ['JavaScript behind a link to a page', ['has_javascript'], 'page 2', () => link(`<< /S /GoTo /D [10 0 R /Fit] /Next [<< ${SCRIPT} >>] >>`).bytes()],
  ['JavaScript in a rendition', ['has_javascript'], 'page 2', () => link('<< /S /Rendition /JS 21 0 R >>').stream(21, 'x').bytes()],
  ['JavaScript as an address', ['has_javascript'], 'page 2', () => link('<< /S /URI /URI ( JavaScript:alert\\(1\\)) >>').bytes()],
  ['JavaScript of a 3D view', ['has_javascript'], 'object 20', () => page('').stream(20, 'x', '/Type /3D /OnInstantiate 21 0 R').stream(21, 'x').bytes()],
  ['JavaScript of a field', ['has_javascript', 'has_automatic_action'], 'page 2', () => field(`/AA << /K << ${SCRIPT} >> >>`).bytes()],
  ['JavaScript that a revision adds', ['has_javascript', 'has_automatic_action'], 'the document itself', () => revised(pagesPdf([BOX]).bytes(), 1, `<< ${CATALOG} /OpenAction << ${SCRIPT} >> >>`)],
  ['an address on opening', ['has_automatic_action'], 'the document itself', () => catalog('/OpenAction << /S /URI /URI (https://x.co) >>').bytes()],
  ['an address behind a page on opening', ['has_automatic_action'], 'the document itself', () => catalog('/OpenAction << /S /GoTo /D [10 0 R /Fit] /Next << /S /URI /URI (https://x.co) >> >>').bytes()],
  ['printing on opening', ['has_automatic_action'], 'the document itself', () => catalog('/OpenAction << /S /Named /N /Print >>').bytes()],
  ['an action when the document is closed', ['has_automatic_action'], 'the document itself', () => catalog('/AA << /WC << /S /URI /URI (https://x.co) >> >>').bytes()],
  ['an action when a page is shown', ['has_automatic_action'], 'page 2', () => page('/AA << /O << /S /Hide /T (a) >> >>').bytes()],
  ['an action when the pointer enters', ['has_automatic_action'], 'page 2', () => annotation('/Subtype /Link /AA << /E << /S /GoToR /F (x.pdf) >> >>').bytes()],
  ['a program on opening', ['has_automatic_action', 'has_launch_action'], 'the document itself', () => catalog('/OpenAction << /S /Launch /F (cmd.exe) >>').bytes()],
  ['a program behind a link', ['has_launch_action'], 'page 2', () => link('<< /S /Launch /Win << /F (cmd.exe) >> >>').bytes()],
  ['a program behind a bookmark', ['has_launch_action'], 'a bookmark', () => catalog('/Outlines << /First 20 0 R >>').object(20, '<< /Title (a) /A << /S /Launch /F (x) >> >>').bytes()],
  ['a form that is sent', ['has_submit_form'], 'page 2', () => field('/A << /S /SubmitForm /F (https://x.co) >>').bytes()],
  ['data that is imported', ['has_import_data'], 'page 2', () => field('/A << /S /ImportData /F (a.fdf) >>').bytes()],
  ['an XFA form', ['has_xfa'], 'XFA', () => catalog('/AcroForm << /Fields [] /XFA [(template) 20 0 R] >>').stream(20, '<x/>').bytes()],
  ['an XFA form in one stream', ['has_xfa'], 'XFA', () => catalog('/AcroForm 21 0 R').object(21, '<< /X#46A 20 0 R >>').stream(20, '<x/>').bytes()],
  ['an attached program', ['has_embedded_file'], 'page 2', () => file(annotation('/Subtype /FileAttachment /FS 31 0 R')).bytes()],
  ['a file in the list of names', ['has_embedded_file'], 'the document itself', () => file(catalog('/Names << /EmbeddedFiles << /Names [(a) 31 0 R] >> >>')).bytes()],
  ['a file in a branch of the list of names', ['has_embedded_file'], 'the document itself', () => file(catalog('/Names 21 0 R').object(21, '<< /EmbeddedFiles << /Kids [22 0 R] >> >>').object(22, '<< /Names [(a) 31 0 R] >>')).bytes()],
  ['an associated file', ['has_embedded_file'], 'the document itself', () => file(catalog('/AF [31 0 R]')).bytes()],
  ['an associated file of a page', ['has_embedded_file'], 'page 2', () => file(page('/AF [31 0 R]')).bytes()],
  ['a file that nothing leads to', ['has_embedded_file'], 'object 30', () => file(page('')).bytes()],
  ['a layer that is printed only', ['has_print_layer'], '"Capa" is printed and not shown', () => layer('/View << /ViewState /OFF >> /Print << /PrintState /ON >>').bytes()],
  ['a layer that is shown only', ['has_print_layer'], '"Capa" is shown', () => layer('/Print << /PrintState /OFF >>', AS_PRINT).bytes()],
  ['a hidden layer that is printed', ['has_print_layer'], '"Capa" is printed', () => layer('/Print << /PrintState /ON >>', `/OFF [20 0 R] ${AS_PRINT}`).bytes()],
  ['a layer hidden by the base state that is printed', ['has_print_layer'], '"Capa" is printed', () => layer('/Print << /PrintState /ON >>', `/BaseState /OFF ${AS_PRINT}`).bytes()],
  ['a web page before the document', ['header_not_first'], 'does not begin', () => Buffer.concat([Buffer.from('<html><script>1</script></html>\n'), pagesPdf([BOX]).bytes()])],
  ['a line end before the document', ['header_not_first'], 'does not begin', () => Buffer.concat([Buffer.from('\n'), pagesPdf([BOX]).bytes()])],
  ['2 KB of content that inflate to 900 MB', ['content_too_large'], 'page 2', () => contentBomb(900).bytes()],
  ['content of 65 MB in two parts', ['content_too_large'], 'page 2', () => page('/Contents [30 0 R 31 0 R]').stream(30, deflateSync(Buffer.alloc(33 << 20, ' ')), '/Filter /FlateDecode').stream(31, deflateSync(Buffer.alloc(33 << 20, ' ')), '/Filter /FlateDecode').bytes()],
  ['a form of 900 MB', ['content_too_large'], 'object 30', () => pagesPdf([BOX]).stream(30, bomb(900), '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Filter [/FlateDecode /FlateDecode]').bytes()],
  ['content of runs that is too long', ['content_too_large'], 'page 2', () => page('/Contents 30 0 R').stream(30, deflateSync(Buffer.alloc(1_100_000, Buffer.from([129, 32]))), '/Filter [/FlateDecode /RunLengthDecode]').bytes()],
]; // prettier-ignore

/** Files that look alike and are harmless. */
export const HARMLESS: [string, () => Buffer][] = [
  ['a place on opening', () => catalog('/OpenAction [10 0 R /Fit]').bytes()],
  ['a page on opening', () => catalog('/OpenAction << /S /GoTo /D [11 0 R /XYZ 0 0 0] >>').bytes()],
  ['the last page on opening', () => catalog('/OpenAction << /S /Named /N /LastPage >>').bytes()],
  ['no action on opening', () => catalog('/OpenAction null').bytes()],
  ['a page when a page is shown', () => page('/AA << /O << /S /GoTo /D [10 0 R /Fit] >> >>').bytes()],
  ['an address behind a link', () => link('<< /S /URI /URI (https://x.co/javascript:launch) >>').bytes()],
  ['another document behind a link', () => link('<< /S /GoToR /F (x.pdf) /D [0 /Fit] >>').bytes()],
  ['printing behind a link', () => link('<< /S /Named /N /Print >>').bytes()],
  ['the words in a text', () => page('/Contents 30 0 R').stream(30, 'BT (/S /JavaScript /JS /Launch /EF) Tj ET').object(9, '<< /Title (/OpenAction << /S /Launch >>) >>').bytes('/Info 9 0 R')],
  ['a font called JS', () => page('/Resources << /Font << /JS 21 0 R /XFA 21 0 R >> >>').object(21, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>').bytes()],
  ['a picture called JS', () => page('/Resources << /XObject << /JS 21 0 R /XFA 21 0 R >> >>').stream(21, 'x', '/Type /XObject /Subtype /Image').bytes()],
  ['an element of structure called Launch', () => pagesPdf([BOX]).object(20, '<< /Type /StructElem /S /Launch /P 1 0 R >>').bytes()],
  ['an empty list of files', () => catalog('/Names << /EmbeddedFiles << /Names [] >> >>').bytes()],
  ['a file that stands elsewhere', () => page('').object(20, '<< /Type /Filespec /F (a.pdf) >>').bytes()],
  ['a form without XFA', () => catalog('/AcroForm << /Fields [] /XFA null >>').bytes()],
  ['an empty XFA of nothing', () => page('').object(20, '<< /XFA (a) >>').bytes()],
  ['a layer', () => layer('').bytes()],
  ['a hidden layer', () => layer('', '/OFF [20 0 R]').bytes()],
  ['a layer for both', () => layer('/View << /ViewState /ON >> /Print << /PrintState /ON >>', AS_PRINT).bytes()],
  ['a hidden layer for both', () => layer('/View << /ViewState /OFF >> /Print << /PrintState /OFF >>', AS_PRINT).bytes()],
  ['a layer that is exported otherwise', () => layer('/Export << /ExportState /OFF >>').bytes()],
  ['JavaScript that a revision took away', () => revised(catalog(`/OpenAction << ${SCRIPT} >>`).bytes(), 1, `<< ${CATALOG} >>`)],
  ['content of 60 MB', () => page('/Contents 30 0 R').stream(30, deflateSync(Buffer.alloc(60 << 20, ' ')), '/Filter /FlateDecode').bytes()],
  ['a picture of 100 MB', () => page('').stream(30, deflateSync(Buffer.alloc(100 << 20, 'x')), '/Type /XObject /Subtype /Image /Filter /FlateDecode').bytes()],
]; // prettier-ignore
