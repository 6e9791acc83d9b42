/** A small contract in Spanish, written by hand as PDF 1.7, and the places where a signature request fills it in. */

const LINES = [
  [720, 18, 'CONTRATO DE PRESTACIÓN DE SERVICIOS'],
  [680, 11, 'Entre los suscritos, de una parte CONSTANCIA DEMO S.A.S., sociedad colombiana con domicilio'],
  [664, 11, 'en Bogotá D.C., quien en adelante se denominará EL CONTRATANTE, y de otra parte:'],
  [630, 11, 'Nombre:'],
  [606, 11, 'Documento:'],
  [582, 11, 'Ciudad:'],
  [548, 11, 'quien en adelante se denominará EL CONTRATISTA, se celebra el presente contrato, que se regirá'],
  [532, 11, 'por las siguientes cláusulas:'],
  [498, 11, 'PRIMERA. Objeto. EL CONTRATISTA se obliga a diseñar y acompañar la señalización de la oficina'],
  [482, 11, 'del CONTRATANTE, con autonomía técnica y administrativa.'],
  [450, 11, 'SEGUNDA. Valor. El valor total del contrato es la suma de:'],
  [416, 11, 'TERCERA. Duración. El presente contrato tendrá una duración de tres (3) meses.'],
  [382, 11, 'CUARTA. Validez. Las partes aceptan la firma electrónica conforme a la Ley 527 de 1999.'],
  [330, 11, 'En constancia se firma el:'],
];

/** Where the values go: points from the lower-left corner, on the baseline. */
export const CONTRACT_PLACEHOLDERS = [
  { key: 'nombre', page: 1, x: 150, y: 630, size: 11 },
  { key: 'documento', page: 1, x: 150, y: 606, size: 11 },
  { key: 'ciudad', page: 1, x: 150, y: 582, size: 11 },
  { key: 'valor', page: 1, x: 366, y: 450, size: 11 },
  { key: 'fecha', page: 1, x: 210, y: 330, size: 11 },
];

/** What the demo fills in: invented people and figures. */
export const CONTRACT_VALUES = {
  nombre: 'María Fernanda Ñáñez Güiza',
  documento: 'CC 1.020.304.050',
  ciudad: 'Medellín, Antioquia',
  valor: '$ 4.500.000 COP',
  fecha: '21 de noviembre de 2026',
};

/** @returns {Buffer} one page, US Letter */
export function demoContract() {
  const text = LINES.map(
    ([y, size, line]) => `BT /F1 ${size} Tf 72 ${y} Td (${String(line).replace(/[\\()]/g, '\\$&')}) Tj ET`,
  );
  const content = Buffer.from(text.join('\n'), 'latin1');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (es-CO) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Title (Contrato de demostraci\xf3n) >>',
  ];
  const parts = ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'];
  const offsets = [];
  let length = parts[0].length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`);
    length += parts.at(-1).length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`,
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}
