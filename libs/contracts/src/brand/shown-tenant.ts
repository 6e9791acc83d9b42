/** Who a page acts for, as the tenant wants to be shown. */
export interface ShownTenant {
  display_name: string;
  /** #rrggbb. A page uses it where text in it can be read, and its own colour elsewhere. */
  color: string | null;
  logo: ShownLogo | null;
}

export interface ShownLogo {
  /** On the host of the page. The address names the content: another logo has another one. */
  path: string;
  width: number;
  height: number;
}

/** The columns of platform_v1.tenant_branding that a page shows. */
export interface BrandRow {
  color: string | null;
  logo_sha256: string | null;
  logo_width: number | null;
  logo_height: number | null;
}

/** @param displayName how the tenant is named there, which may be how it was called when the page's link was made */
export function shownTenant(
  displayName: string,
  { color, logo_sha256, logo_width, logo_height }: BrandRow,
): ShownTenant {
  const logo =
    logo_sha256 === null
      ? null
      : { path: logoPath(logo_sha256), width: logo_width as number, height: logo_height as number };
  return { display_name: displayName, color, logo };
}

/** Where the hosts of pages serve a logo, by the SHA-256 of the file. */
export const logoPath = (sha256: string): string => `/logos/${sha256}.png`;
