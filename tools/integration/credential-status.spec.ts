import { STATUS, StatusList, StatusListCache, issueStatusList } from '@constancia/status-list';
import { describe, expect, it } from 'vitest';
import { ISSUER, NONCE, NOW, Parties } from '../../libs/sd-jwt/src/credentials.fixture.ts';
import { peerOf } from '../../libs/sd-jwt/src/peer.fixture.ts';

const URI = `${ISSUER}/v1/wallet/status-list/1`;
const INDEX = 4_711;

const parties = new Parties();
const list = StatusList.ofSize(2, 131_072);
const fetchList = () =>
  issueStatusList({ list, uri: URI, issuedAtS: NOW, lifetimeS: 3_600, ttlS: 300 }, parties.issuer.signer);
const peer = await peerOf(parties.issuer, parties.holder, fetchList);
const presentation = await parties.present(await parties.issue({ status: { uri: URI, idx: INDEX } }));

const ours = () => {
  const lists = new StatusListCache({ fetch: fetchList, findKey: () => parties.issuer.publicKey, now: () => NOW });
  return parties.reasonFor(presentation, { status: (reference) => lists.statusOf(reference) });
};
const peers = () =>
  peer.verify(presentation, { keyBindingNonce: NONCE, currentDate: NOW }).then(
    () => 'accepted',
    () => 'refused',
  );

describe('a presentation whose credential has its status in a list', () => {
  it.each([
    ['valid', 'accepted', 'accepted'],
    ['revoked', 'revoked', 'refused'],
    ['suspended', 'suspended', 'refused'],
    ['superseded', 'superseded', 'refused'],
  ] as const)('and is %s there is %s by us and %s by @sd-jwt', async (status, byUs, byPeer) => {
    list.set(INDEX, STATUS[status]);
    expect([await ours(), await peers()]).toEqual([byUs, byPeer]);
  });

  it('is not touched by the statuses beside its own', async () => {
    list.set(INDEX, STATUS.valid);
    for (const beside of [INDEX - 1, INDEX + 1]) list.set(beside, STATUS.revoked);
    expect([await ours(), await peers()]).toEqual(['accepted', 'accepted']);
  });
});
