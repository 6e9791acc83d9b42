import { Button, fileName } from '@constancia/web';
import { type ReactNode, useState } from 'react';
import { useJourney } from '../journey/journey.tsx';
import { useLanguage } from '../text/language.ts';
import { subjectOf } from '../text/subject.ts';
import { download } from './download.ts';

interface SaveLinkProps {
  look: 'primary' | 'secondary' | 'quiet';
  /** copy: of what was signed, before it is sealed. */
  of?: 'document' | 'copy';
  children: ReactNode;
}

/** Browsers read the bytes after the click. */
const KEPT_MS = 60_000;

/** Saves the document, or the copy, under the title of the envelope: by its address, or, where that is not enough, from memory. */
export function SaveLink({ look, of = 'document', children }: SaveLinkProps) {
  const { api, attempt, situation } = useJourney();
  const { text } = useLanguage();
  const title = situation.kind === 'known' ? subjectOf(situation.state, text) : text.page.untitled;
  const name = fileName(of === 'copy' ? `${title} ${text.signed.copyName}` : title);
  const [busy, setBusy] = useState(false);
  const link = of === 'copy' ? api.copyLink : api.documentLink;
  if (link !== null) {
    return (
      <a className={`button ${look}`} href={link} download={name}>
        {children}
      </a>
    );
  }
  const save = async (): Promise<void> => {
    setBusy(true);
    await attempt(
      () => download(api[of], new AbortController().signal, () => undefined),
      (bytes) => {
        saveBytes(bytes, name);
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
