import { FieldFaults } from '@constancia/web';
import { useContext, useState } from 'react';
import { FileField } from '../../parts/file-field.tsx';
import { isPdf, LARGEST_PDF } from './code.ts';
import { useSigningText } from '../text/language.ts';

interface PdfFieldProps {
  onFile?: (file: File | null) => void;
}

/**
 * A PDF from the device. In a form it is called `pdf`. What is not one by its name, or is too large, is refused here; a file that the API
 * refuses is a fault of its request as a whole, and marked here.
 */
export function PdfField({ onFile }: PdfFieldProps) {
  const { words } = useSigningText();
  const [fault, setFault] = useState<string | null>(null);
  const refusedByApi = useContext(FieldFaults)[''] !== undefined;
  const take = (file: File | null): void => {
    const refused = file !== null && (!isPdf(file) || file.size > LARGEST_PDF);
    setFault(refused ? words.pdf.refused : null);
    onFile?.(refused ? null : file);
  };
  return (
    <FileField
      name="pdf"
      label={words.pdf.label}
      hint={words.pdf.hint}
      accept="application/pdf,.pdf"
      required
      fault={fault ?? (refusedByApi ? words.pdf.refused : null)}
      onFile={take}
    />
  );
}
