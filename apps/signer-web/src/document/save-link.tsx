import { Button } from '@constancia/web';
import { type ReactNode, useState } from 'react';
import { useJourney } from '../journey/journey.tsx';
import { download } from './download.ts';

interface SaveLinkProps {
  look: 'primary' | 'secondary' | 'quiet';
  /** copy: of what was signed, before it is sealed. */
  of?: 'document' | 'copy';
  /** Left out: the server's. */
  fileName?: string;
  children: ReactNode;
}

const NAME = 'document.pdf';
/** Browsers read the bytes after the click. */
const KEPT_MS = 60_000;

/** Saves the document, or the copy: by its address, or, where that is not enough, from memory. */
export function SaveLink({ look, of = 'document', fileName, children }: SaveLinkProps) {
  const { api, attempt } = useJourney();
  const [busy, setBusy] = useState(false);
  const link = of === 'copy' ? api.copyLink : api.documentLink;
  if (link !== null) {
    return (
      <a className={`button ${look}`} href={link} download={fileName ?? true}>
        {children}
      </a>
    );
  }
  const save = async (): Promise<void> => {
    setBusy(true);
    await attempt(
      () => download(api[of], new AbortController().signal, () => undefined),
      (bytes) => {
        saveBytes(bytes, fileName ?? NAME);
      },
    );
    setBusy(false);
  };
  return (
    <Button look={look} busy={busy} onPress={() => void save()}>
      {children}
    </Button>
  );
}

function saveBytes(bytes: Uint8Array, name: string): void {
  const href = URL.createObjectURL(new Blob([bytes.slice()], { type: 'application/pdf' }));
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
