import { Frame, TenantHead } from '@constancia/web';
import type { ComponentProps, ReactNode } from 'react';
import { useLanguage } from '../text/language.ts';

interface SenderFrameProps {
  sender: ComponentProps<typeof TenantHead>['tenant'] | null;
  children: ReactNode;
}

/** The frame of a screen that shows who sent the document; without one, the page. */
export function SenderFrame({ sender, children }: SenderFrameProps) {
  const { text } = useLanguage();
  return <Frame head={sender && <TenantHead label={text.page.sentBy} tenant={sender} />}>{children}</Frame>;
}
