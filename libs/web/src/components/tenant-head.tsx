import type { ShownTenant } from '@constancia/contracts/brand';
import { useBrandAccent } from '../brand-accent.ts';

interface TenantHeadProps {
  /** What the tenant is to the person: "Sent by". */
  label: string;
  tenant: Pick<ShownTenant, 'display_name'> & Partial<ShownTenant>;
}

/** The tenant in the head of a page, which takes its colour: its logo, if it has one, and its name. */
export function TenantHead({ label, tenant: { display_name: name, color = null, logo } }: TenantHeadProps) {
  useBrandAccent(color);
  return (
    <div className="tenant">
      {logo && <img className="logo" src={logo.path} alt="" width={logo.width} height={logo.height} />}
      <div>
        <span>{label}</span> <strong>{name}</strong>
      </div>
    </div>
  );
}
