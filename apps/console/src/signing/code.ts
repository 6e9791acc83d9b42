/** The code of a template or circuit, from its name: `Contrato de Ñame 2` is `contrato-de-name-2`. */
export function codeOf(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');
}

/** Bytes: the API accepts no larger PDF. */
export const LARGEST_PDF = 26_214_400;

export const isPdf = (file: FormDataEntryValue | null): file is File =>
  file instanceof File && file.size > 0 && (file.type === 'application/pdf' || /\.pdf$/i.test(file.name));
