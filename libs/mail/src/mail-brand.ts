import { brandColorUse } from '@constancia/contracts/brand-color';
import { escapeHtml } from '@constancia/kernel';

/** How a tenant shows itself in a mail that is sent in its name. */
export interface MailBrand {
  /** #rrggbb */
  color: string | null;
  logoUrl: string | null;
}

/** The tenant's colour where it can be read on the white of a mail, as white can on it; else null. */
export function mailAccent({ color }: Pick<MailBrand, 'color'>): string | null {
  return color !== null && brandColorUse(color).readable_on.includes('white') ? color : null;
}

/** The logo as HTML, beside the name of the tenant, which the text says; empty without one. */
export function mailLogo({ logoUrl }: Pick<MailBrand, 'logoUrl'>): string {
  if (logoUrl === null) return '';
  return `<p style="margin:0 0 16px"><img src="${escapeHtml(logoUrl)}" alt="" height="40" style="display:block;height:40px;width:auto;max-width:240px"></p>`;
}
