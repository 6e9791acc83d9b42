import type { TenantStanding } from '@constancia/contracts';
import type { Problem } from '@constancia/problem-json';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../request/principal.ts';
import { routeFacts } from '../routes/route-facts.ts';
import { PRINCIPAL, TENANT } from '../spec-app.fixture.ts';
import { checkTenantStanding } from './tenant-standing.ts';

const READ = routeFacts('GET', '/v1/things');
const CREATE = routeFacts('POST', '/v1/things');
const FINISH = routeFacts('POST', '/v1/things/:id/finish', { whileClosing: true });

type Checked = Parameters<typeof checkTenantStanding>[0]['constancia'];

function outcome(state: Pick<Checked, 'principal' | 'holder' | 'route'>): string {
  try {
    checkTenantStanding({ constancia: state as Checked });
    return 'passes';
  } catch (error) {
    return (error as Problem).slug;
  }
}
const principal = (standing: TenantStanding, kind: Principal['kind'] = 'key'): Principal => ({
  ...PRINCIPAL,
  kind,
  tenant: { ...TENANT, standing },
});

describe('the standing of a tenant', () => {
  it.each([
    ['active', READ, 'passes'],
    ['active', CREATE, 'passes'],
    ['closing', READ, 'passes'],
    ['closing', routeFacts('HEAD', '/v1/things'), 'passes'],
    ['closing', CREATE, 'tenant-closing'],
    ['closing', routeFacts('DELETE', '/v1/things/:id'), 'tenant-closing'],
    ['closing', FINISH, 'passes'],
    ['suspended', READ, 'tenant-suspended'],
    ['suspended', FINISH, 'tenant-suspended'],
    ['closed', READ, 'invalid-api-key'],
    ['closed', FINISH, 'invalid-api-key'],
  ] as const)('%s: a key, on %o: %s', (standing, route, expected) => {
    expect(outcome({ principal: principal(standing), holder: undefined, route })).toBe(expected);
  });

  it('closed: a member is refused as one whose session ended', () => {
    expect(outcome({ principal: principal('closed', 'member'), holder: undefined, route: READ })).toBe('unauthorized');
  });

  it.each([
    ['active', 'passes'],
    ['closing', 'passes'], // people with a link finish what they began
    ['suspended', 'tenant-suspended'],
    ['closed', 'not-found'],
  ] as const)('%s: the holder of a link: %s', (standing, expected) => {
    const holder = { tenantId: TENANT.id, standing };
    expect(outcome({ principal: undefined, holder, route: CREATE })).toBe(expected);
  });
});
