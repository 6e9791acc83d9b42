/** The other side of the bench of status lists: builds, compresses and signs the list for each request. Prints its address. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { localEs256Signer, nowInSeconds } from '@constancia/signed-jwt';
import { issueStatusList, STATUS_LIST_MEDIA_TYPE, StatusList } from '@constancia/status-list';

const SIZE = 131_072;
const signer = localEs256Signer(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, { kid: 'k' });
const revoked = Array.from({ length: SIZE / 100 }, () => Math.floor(Math.random() * SIZE));

const server = http.createServer((request, response) => {
  const list = StatusList.ofSize(2, SIZE);
  for (const index of revoked) list.set(index, 1);
  const uri = `http://lists.example${request.url ?? '/'}`;
  void issueStatusList({ list, uri, issuedAtS: nowInSeconds(), lifetimeS: 3_600, ttlS: 300 }, signer).then((token) =>
    response.writeHead(200, { 'content-type': STATUS_LIST_MEDIA_TYPE }).end(token),
  );
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
