import { Entry } from '@constancia/web';
import { useId, useState } from 'react';
import { isPdf, LARGEST_PDF } from './code.ts';
import { useSigningText } from './text/language.ts';

interface PdfFieldProps {
  onFile?: (file: File | null) => void;
}

/** A PDF from the device. In a form it is called `pdf`. What is not one, or is too large, is refused here. */
export function PdfField({ onFile }: PdfFieldProps) {
  const { words } = useSigningText();
  const id = useId();
  const [fault, setFault] = useState<string | null>(null);
  const take = (file: File | undefined): void => {
    const refused = file !== undefined && (!isPdf(file) || file.size > LARGEST_PDF);
    setFault(refused ? words.pdf.refused : null);
    onFile?.(refused || file === undefined ? null : file);
  };
  return (
    <Entry id={id} label={words.pdf.label} help={words.pdf.hint} fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          type="file"
          name="pdf"
          accept="application/pdf,.pdf"
          required
          onChange={(event) => take(event.target.files?.[0])}
        />
      )}
    </Entry>
  );
}
