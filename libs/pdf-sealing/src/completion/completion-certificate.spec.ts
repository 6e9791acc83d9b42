import fs from 'node:fs';
import { createRequire } from 'node:module';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { completionCertificate, PdfPool } from '../index.ts';
import type { CompletedSigner, CompletionFacts } from '../index.ts';
import { pagesPdf } from '../made-pdf.fixture.ts';
import { greyPng } from '../png.fixture.ts';
import { pixelsOf, qpdfCheck, readers, textOf, wordsOf } from '../poppler.fixture.ts';

let pool: PdfPool;
beforeAll(() => {
  pool = new PdfPool({ processes: 1, memoryMb: 384, deadlineMs: 8_000 });
});
afterAll(() => pool.close());

const sha256 = (of: string) => createHash('sha256').update(of).digest('hex');
const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 2, minute, 7));

function signer(nth: number, more: Partial<CompletedSigner> = {}): CompletedSigner {
  return {
    name: `Firmante Ñáñez ${nth}`,
    email: `firmante${nth}@example.com`,
    role: `role-${nth}`,
    linkOpenedAt: at(1),
    documentShownAt: at(4),
    consent: { version: '2026-11', locale: 'es-CO', sha256: sha256('consent'), at: at(2) },
    authentications: [{ method: 'otp_email', at: at(3), failures: 0 }],
    signedAt: at(10 + nth),
    ticked: [],
    ip: `203.0.113.${nth}`,
    userAgent:
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    frameOrigin: null,
    documentShownSha256: sha256(`shown ${nth}`),
    signature: { type: 'typed', text: `Firmante ${nth}` },
    signatureSha256: sha256(`signature ${nth}`),
    ...more,
  };
}

function facts(signers: readonly CompletedSigner[], more: Partial<CompletionFacts> = {}): CompletionFacts {
  return {
    locale: 'es-CO',
    page: { width: 612, height: 792 },
    envelopeId: 'env_01kag3m8h5f7psqj2v3w4x5y6z',
    subject: 'Contrato de prestación de servicios',
    tenant: 'Notaría Ejemplo S.A.S.',
    sentAt: at(0),
    document: { sha256: sha256('base'), pages: 12 },
    signers,
    head: { seq: 27, hash: sha256('head') },
    verifyUrl: 'https://firma.constancia.example/verify/4fQz8kL0aPq2Wn7YtR5sVb',
    key: { fingerprint: sha256('key'), url: `https://firma.constancia.example/keys/${sha256('key')}.pem` },
    ...more,
  };
}

const appended = (of: CompletionFacts) =>
  pool.draw(pagesPdf(['/MediaBox [0 0 99 99]']).bytes(), { drawings: [], pages: completionCertificate(of) });
const pagesOf = (pdf: Buffer) => textOf(pdf).split('\f').slice(1, -1);
const count = (text: string, part: string) => text.split(part).length - 1;

/** What a phone reads from the code on a page. */
async function scanned(pdf: Buffer, page: number): Promise<string[]> {
  const { width, height, pixels } = pixelsOf(pdf, page, 150);
  const binary = fs.readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(binary).buffer }, fireImmediately: true });
  const data = new Uint8ClampedArray(width * height * 4);
  pixels.forEach((grey, nth) => data.set([grey, grey, grey, 255], 4 * nth));
  const found = await readBarcodes({ data, width, height } as Parameters<typeof readBarcodes>[0], {
    formats: ['QRCode'],
  });
  return found.map(({ text, ecLevel }) => `${ecLevel} ${text}`);
}

describe.skipIf(!readers.qpdf || !readers.poppler)('a certificate of completion', { timeout: 30_000 }, () => {
  it('describes the envelope, each signer, the chain, and how to verify offline', async () => {
    const two = [
      signer(1),
      signer(2, {
        authentications: [
          { method: 'access_code', at: at(4), failures: 1 },
          { method: 'otp_email', at: at(5), failures: 3 },
          { method: 'otp_sms', at: at(5), failures: 0, to: '+57 ••• ••• 1234' },
        ],
        signature: { type: 'drawn', image: greyPng([Array.from({ length: 6 }, () => [0, 255])]) },
        userAgent: 'curl/8.5.0',
        frameOrigin: 'https://tienda.example',
      }),
    ];
    const file = await appended(facts(two));
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    const text = textOf(file);
    for (const expected of [
      'Certificado de finalización', 'Contrato de prestación de servicios', 'Notaría Ejemplo S.A.S.', '12 páginas', sha256('base'),
      'env_01kag3m8h5f7psqj2v3w4x5y6z', '2026-11-22 02:00:07 UTC', '2026-11-21 21:00:07 Bogotá (UTC-5)', '2026-11-22 02:12:07 UTC',
      'https://firma.constancia.example/verify/4fQz8kL0aPq2Wn7YtR5sVb', 'Firmantes (2)', '1. Firmante Ñáñez 1', '2. Firmante Ñáñez 2',
      'firmante1@example.com', 'Rol: Role 2', '203.0.113.1 · Chrome 141, Android', '203.0.113.2 · curl/8.5.0',
      'Sitio según el remitente', 'https://tienda.example', 'Texto 2026-11 (es-CO)',
      'Código enviado al correo: correcto', 'Código de acceso: correcto tras 1 error', 'Código enviado al correo: correcto tras 3 errores', 'Mensaje de texto al +57 ••• ••• 1234: correcto',
      'Firma escrita, con intención', 'Firma dibujada, con intención', sha256('consent'), sha256('shown 1'), sha256('shown 2'),
      sha256('signature 1'), sha256('signature 2'), 'Evento 27, el de la última firma', sha256('head'), 'pdfsig documento.pdf',
      'openssl dgst -sha256 -verify clave.pem -signature firma.bin documento.pdf', sha256('key'), `/keys/${sha256('key')}.pem`,
    ]) expect(text).toContain(expected); // prettier-ignore
    expect(text).toMatch(/Firmó\s+2026-11-22 02:11:07\s+2026-11-21 21:11:07/);
  });

  it('is written in English, too', async () => {
    const text = textOf(await appended(facts([signer(1)], { locale: 'en' })));
    for (const expected of ['Certificate of completion', 'Opened the link', 'Code sent by mail: correct', 'How to verify offline'])
      expect(text).toContain(expected); // prettier-ignore
    expect(text).not.toMatch(/[áéíóú]\w*ción|Firmó/);
  });

  it('has a code that a phone reads, with the address beside it as text', async () => {
    const verifyUrl = `https://firma.constancia.example/${'a-long-path/'.repeat(6)}verify/4fQz8kL0aPq2Wn7YtR5sVb`;
    for (const each of [facts([signer(1)]), facts([signer(1)], { verifyUrl })]) {
      const file = await appended(each);
      expect(await scanned(file, 2)).toEqual([`M ${each.verifyUrl}`]);
      expect(textOf(file)).toContain(each.verifyUrl);
    }
  });

  it.each([
    ['Letter', { width: 612, height: 792 }, { width: 612, height: 792 }],
    ['Legal', { width: 612, height: 1008 }, { width: 612, height: 792 }],
    ['Letter across', { width: 792, height: 612 }, { width: 612, height: 792 }],
    ['A4', { width: 595.276, height: 841.89 }, { width: 595, height: 842 }],
    ['A4 across', { width: 841.89, height: 595.276 }, { width: 595, height: 842 }],
    ['anything else', { width: 30, height: 20 }, { width: 612, height: 792 }],
  ])('is on the paper of a document on %s', (_, page, paper) => {
    for (const sheet of completionCertificate(facts([signer(1)], { page }))) expect(sheet).toMatchObject(paper);
  });

  it.each([
    ['Letter', { width: 612, height: 792 }],
    ['A4', { width: 595, height: 842 }],
  ])('of 20 signers goes on over pages of %s, four to each, none of them cut', async (_, page) => {
    const signers = Array.from({ length: 20 }, (_, nth) => signer(nth + 1));
    const file = await appended(facts(signers, { page }));
    const pages = pagesOf(file);
    expect(pages).toHaveLength(6);
    pages.forEach((text, nth) => expect(text).toContain(`Página ${nth + 1} de 6`));
    for (const { email, documentShownSha256, signatureSha256 } of signers) {
      const [own, ...others] = pages.filter((text) => new RegExp(`^\\s*${email}`, 'm').test(text));
      expect(others).toEqual([]);
      expect([own?.includes(documentShownSha256), own?.includes(signatureSha256)]).toEqual([true, true]);
    }
    expect(pages.slice(1, 5).map((text) => count(text, 'Firmó'))).toEqual([4, 4, 4, 4]);
    const { words } = wordsOf(file);
    for (const { left, right, bottom } of words.filter((word) => word.page > 1))
      expect([left >= 49, right <= page.width - 49, bottom >= 25]).toEqual([true, true, true]);
  });

  it('names opening the link and being shown the document, each with its time, and the latter only when it is recorded', async () => {
    const text = textOf(await appended(facts([signer(1)])));
    expect(text).toMatch(/Abrió el enlace\s+2026-11-22 02:01:07/);
    expect(text).toMatch(/Vio el documento\s+2026-11-22 02:04:07/);
    const former = textOf(await appended(facts([signer(1, { documentShownAt: null })])));
    expect(former).toContain('Abrió el enlace');
    expect(former).not.toMatch(/(Vio|Abrió) el documento/);
  });

  it('says what each ticked box is for whose label is not on the document, as many as a card has room for', async () => {
    const ticked = Array.from({ length: 15 }, (_, nth) => `Acepto la cláusula ${nth + 1}`);
    const text = textOf(await appended(facts([signer(1, { ticked: ticked.slice(0, 2) }), signer(2, { ticked })])));
    expect(text).toMatch(/Casilla marcada\s+Acepto la cláusula 1\n/);
    expect(count(text, 'Casilla marcada')).toBe(2 + 12);
    expect(text).toMatch(/Acepto la cláusula 11\s+Casilla marcada\s+y 4 más/);
    expect(text).not.toContain('cláusula 12');
    expect(textOf(await appended(facts([signer(1)])))).not.toContain('Casilla');
  });

  it('states which identity was verified, when and how', async () => {
    const verified = {
      at: at(3),
      documentType: 'CC',
      documentCountry: 'CO',
      how: { liveness: 'active' },
      flow: { type: 'onboarding', code: 'default', version: 3 },
      sessionId: 'fls_01kamx9d3sf0r8y7w2k4v6b1nq',
    } as const;
    const identity = { method: 'identity', at: at(4), verified } as const;
    const of = facts([signer(1, { authentications: [identity] }), signer(2)]);
    const text = textOf(await appended(of)).replace(/\s+/g, ' ');
    for (const expected of [
      'Identidad verificada con documento y rostro', 'Nombre según la cédula de ciudadanía (CO); rostro comparado con el documento, prueba de vida activa',
      '2026-11-22 02:03:07 UTC · flujo onboarding/default v3 · fls_01kamx9d3sf0r8y7w2k4v6b1nq',
    ]) expect(text).toContain(expected); // prettier-ignore
    expect(count(text, 'Registro de la verificación')).toBe(1);
    const english = textOf(await appended({ ...of, locale: 'en' })).replace(/\s+/g, ' ');
    expect(english).toContain(
      'Name as on the cédula de ciudadanía (CO); face compared with the document, active liveness',
    );
    const how = { level: 'document_face_liveness', keptSince: at(-72), provedBy: 'otp' } as const;
    const kept = { ...identity, verified: { ...verified, documentType: 'PPT', how } };
    const ofKept = facts([signer(1, { authentications: [kept] })]);
    const keptText = textOf(await appended(ofKept)).replace(/\s+/g, ' ');
    for (const expected of [
      'Identidad verificada con una verificación guardada (billetera)',
      `el permiso por protección temporal (CO); verificación guardada (billetera) del ${at(-72).toISOString().slice(0, 10)}: documento, rostro y prueba de vida; billetera demostrada con un código enviado a su correo`,
    ]) expect(keptText).toContain(expected); // prettier-ignore
    expect(keptText).not.toContain('documento y rostro');
    expect(textOf(await appended({ ...ofKept, locale: 'en' })).replace(/\s+/g, ' ')).toContain(
      `kept verification (wallet) of ${at(-72).toISOString().slice(0, 10)}: document, face and liveness; wallet proved by a code mailed to its address`,
    );
    const silent = facts([signer(1, { authentications: [{ method: 'identity', at: at(4), verified: null }] })]);
    expect(textOf(await appended(silent))).not.toContain('Registro de la verificación');
  });

  it('fits on one page for one signer, and no last page is nearly empty', async () => {
    const authentications = [
      { method: 'otp_email', at: at(3), failures: 0 },
      { method: 'access_code', at: at(4), failures: 1 },
    ] as const;
    for (const page of [{ width: 612, height: 792 }, { width: 595, height: 842 }]) {
      expect(pagesOf(await appended(facts([signer(1, { authentications })], { page })))).toHaveLength(1);
      for (const count of [2, 3, 4, 6, 7]) {
        const signers = Array.from({ length: count }, (_, nth) => signer(nth + 1));
        const last = completionCertificate(facts(signers, { page })).at(-1)!;
        const lowest = Math.min(...last.drawings.flatMap((d) => ('y' in d && d.y > 60 ? [d.y] : [])));
        expect([count, lowest < page.height * 0.68]).toEqual([count, true]);
      }
    }
  }); // prettier-ignore

  it('is stopped by nothing that a signer is called or uses', async () => {
    const endless = 'Fernández de Córdoba y Ñáñez '.repeat(40);
    const strange = '漢字 \u0007 🦄 حبيب Ana';
    const signers = [endless, strange, '', 'x'.repeat(500)].map((name, nth) =>
      signer(nth, {
        name,
        email: name,
        role: name,
        userAgent: name,
        ip: null,
        signature: { type: 'typed', text: name },
      }),
    );
    const file = await appended(facts(signers, { subject: endless, tenant: strange }));
    expect(qpdfCheck(file)).toMatchObject({ code: 0 });
    const text = textOf(file);
    expect(text).toMatch(/1\. Fernández de Córdoba[^]*…/);
    expect(text).toContain('\ufffd');
    expect(count(text, 'no registrada')).toBe(4);
  });
});
