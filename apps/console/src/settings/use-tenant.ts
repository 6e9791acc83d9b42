import { useRecord } from '../member/queries.ts';
import { useSignedIn } from '../member/member.tsx';

export const TENANT = ['tenant'];

/** The path of the tenant's own resources. */
export const useTenantPath = () => ({ path: { id: useSignedIn().view.tenant.id } });

export function useTenant() {
  const params = useTenantPath();
  return useRecord(TENANT, ({ platform }) => platform.GET('/tenants/{id}', { params }));
}
