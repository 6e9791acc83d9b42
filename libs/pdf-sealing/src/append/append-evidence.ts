import { createHash } from 'node:crypto';
import type { Evidence } from './evidence.ts';
import { compileTemplate } from './compile-template.ts';
import { Update } from './update.ts';

/**
 * Appends a document security store (ISO 32000-2, 12.8.4.3) as one revision, with what an earlier one holds. No certification forbids it.
 * `contents`: of the signature that the evidence is about. Answers what follows the file. Throws SealingFailure.
 */
export async function appendEvidence(pdf: Buffer, evidence: Evidence, contents: Buffer): Promise<Buffer> {
  const template = await compileTemplate(pdf);
  const update = new Update(template);
  const streams = (items: readonly Buffer[]) => items.map((der) => `${update.addStream(der)} 0 R`).join(' ');
  const added = {
    Certs: streams(evidence.certificates),
    OCSPs: streams(evidence.ocspResponses),
    CRLs: streams(evidence.crls),
  };
  const related = [
    added.Certs && `/Cert [${added.Certs}] `,
    added.OCSPs && `/OCSP [${added.OCSPs}] `,
    added.CRLs && `/CRL [${added.CRLs}] `,
  ].join('');
  const name = createHash('sha1').update(contents).digest('hex').toUpperCase();
  const earlier = template.evidence;
  const arrays = (['Certs', 'OCSPs', 'CRLs'] as const).map((key) => {
    const items = [earlier[key], added[key]].filter((part) => part !== '').join(' ');
    return items && `/${key} [${items}] `;
  });
  const store = update.add(`<< /Type /DSS ${arrays.join('')}/VRI << ${earlier.VRI}/${name} << ${related}>> >> >>`);
  const { catalog, form } = template;
  const permissions = catalog.permissions + catalog.certification;
  const perms = permissions && `/Perms << ${permissions}>> `;
  const formText = form.id
    ? `/AcroForm ${form.id.number} ${form.id.generation} R `
    : `/AcroForm << ${form.rest}/Fields [${form.fields}] /SigFlags 3 >> `;
  update.set(catalog.id, `<< ${catalog.rest}${formText}${perms}/DSS ${store} 0 R >>`);
  return update.finish();
}
