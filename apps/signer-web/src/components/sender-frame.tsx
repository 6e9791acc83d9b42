import { Frame } from '@constancia/web';
import type { ReactNode } from 'react';
import { useLanguage } from '../text/language.ts';

/** The frame of a screen that names who sent the document; without one, the page. */
export function SenderFrame({ sender, children }: { sender: string | null; children: ReactNode }) {
  const { text } = useLanguage();
  const head = sender !== null && (
    <>
      <span>{text.page.sentBy}</span> <strong>{sender}</strong>
    </>
  );
  return <Frame head={head || undefined}>{children}</Frame>;
}
