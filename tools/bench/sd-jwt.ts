/**
 * A presentation of three of nine claims with its status, in a list of 131,072 entries of which one in a hundred is revoked: verified
 * by ours and by @sd-jwt 0.19, which skips audience and age. Both check three signatures and decompress the list each time; before
 * anything is timed, both have to accept the same claims and to refuse a revoked credential.
 */
import { verifyPresentation } from '@constancia/sd-jwt';
import { StatusList, issueStatusList, verifyStatusList } from '@constancia/status-list';
import type { VerifiedStatusList } from '@constancia/status-list';
import { CLAIMS, ISSUER, NONCE, NOW, Parties, VCT, VERIFIER } from '../../libs/sd-jwt/src/credentials.fixture.ts';
import { peerOf } from '../../libs/sd-jwt/src/peer.fixture.ts';
import { median, report } from './measure.ts';
import type { BenchRow } from './measure.ts';

const ROUNDS = 9;
const CALLS = 40;
const VALID = 4_711;
const REVOKED = 4_700;
const LIST_URI = `${ISSUER}/v1/wallet/status-list/1`;
const REVEAL = [['family_name'], ['birthdate'], ['nationalities', 0]];

const parties = new Parties();
const listToken = await randomList();
const peer = await peerOf(parties.issuer, parties.holder, () => Promise.resolve(listToken));
const credential = await issueAt(VALID);
const presentation = await parties.present(credential, { reveal: REVEAL });

const readList = () =>
  verifyStatusList(listToken, { uri: LIST_URI, findKey: () => parties.issuer.publicKey, nowS: NOW });
const verifyOurs = (text: string, list?: VerifiedStatusList) =>
  verifyPresentation(text, parties.expected({ status: async ({ idx }) => (list ?? (await readList())).statusAt(idx) }));
const verifyPeers = (text: string) => peer.verify(text, { keyBindingNonce: NONCE, currentDate: NOW });

await checkBoth();
const keptList = await readList();
const frame = { _sd: ['given_name', 'family_name', 'birthdate', 'document'], nationalities: { _sd: [0, 1] }, document: { _sd: ['type', 'number', 'country'] } }; // prettier-ignore
const issuedByPeer = { iss: ISSUER, vct: VCT, iat: NOW, exp: NOW + 60, cnf: { jwk: parties.holder.jwk }, ...CLAIMS };
const shownByPeer = { family_name: true, birthdate: true, nationalities: { 0: true } };

report([
  await row('Verify a presentation with its status, in a list of 131,072', () => verifyOurs(presentation), () => verifyPeers(presentation), '≤ 2 ms, ratio ≥ 10'), // prettier-ignore
  await row('The same, with the list that was verified before', () => verifyOurs(presentation, keptList), () => verifyPeers(presentation), '–'), // prettier-ignore
  await row('Issue a credential of nine disclosures', () => issueAt(VALID), () => peer.issue(issuedByPeer, frame as never), '–'), // prettier-ignore
  await row('Present three of its claims', () => parties.present(credential, { reveal: REVEAL }), () => peer.present(credential, shownByPeer as never, { kb: { payload: { iat: NOW, aud: VERIFIER, nonce: NONCE } } }), '–'), // prettier-ignore
]);
process.exit(0);

function issueAt(idx: number): Promise<string> {
  return parties.issue({ status: { uri: LIST_URI, idx } });
}

/** A generator with a fixed seed, so that every run has the same list. */
async function randomList(): Promise<string> {
  const list = StatusList.ofSize(2, 131_072);
  let state = 20_261_126;
  for (let nth = 0; nth < list.size / 100; nth++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    list.set(state >>> 15, 1);
  }
  list.set(VALID, 0);
  list.set(REVOKED, 1);
  const issue = { list, uri: LIST_URI, issuedAtS: NOW, lifetimeS: 3_600, ttlS: 300 };
  return issueStatusList(issue, parties.issuer.signer);
}

async function checkBoth(): Promise<void> {
  const ours = (await verifyOurs(presentation)).claims;
  const theirs = (await verifyPeers(presentation)).payload as Record<string, unknown>;
  const shown = ({ family_name, birthdate, nationalities, given_name }: Record<string, unknown>) =>
    JSON.stringify({ family_name, birthdate, nationalities, given_name });
  if (shown(ours) !== shown(theirs)) throw new Error('the two read different claims');
  const revoked = await parties.present(await issueAt(REVOKED), { reveal: REVEAL });
  for (const verify of [verifyOurs, verifyPeers]) {
    const accepted = await verify(revoked).then(
      () => true,
      () => false,
    );
    if (accepted) throw new Error('a revoked credential was accepted');
  }
}

interface Cost {
  /** Median of the calls, on the clock. */
  ms: number;
  /** Mean of the calls. Time of other programs does not count. */
  cpuMs: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let nth = 0; nth < CALLS; nth++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: median(times), cpuMs: (user + system) / 1_000 / CALLS };
}

async function row(
  name: string,
  ours: () => Promise<unknown>,
  peers: () => Promise<unknown>,
  goal: string,
): Promise<BenchRow> {
  const rounds: { ours: Cost; peers: Cost }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const costs = { ours: await costOf(ours), peers: await costOf(peers) };
    if (round > 0) rounds.push(costs); // the first round only warms up
  }
  const words = (side: 'ours' | 'peers') =>
    `p50 ${median(rounds.map((each) => each[side].ms)).toFixed(2)} ms, ${median(rounds.map((each) => each[side].cpuMs)).toFixed(2)} ms of processor`;
  return {
    name,
    ours: words('ours'),
    other: words('peers'),
    ratio: median(rounds.map((each) => each.peers.ms / each.ours.ms)),
    goal,
  };
}
