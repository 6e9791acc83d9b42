import { deflateRawSync, crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { type ConfigurationClients, hostsIn, importConfiguration, joinConfigurations } from './configuration.ts';
import { filesOfZip, joinZips } from './zips.ts';

const encoded = (text: string) => new TextEncoder().encode(text);

/** A ZIP of one host, as a deployment or a packer writes it. */
function archiveOf(host: string, { method = 0, comment = '' } = {}): Uint8Array {
  const content = encoded(`{"host":"${host}"}`);
  const packed = method === 0 ? content : new Uint8Array(deflateRawSync(content));
  const name = encoded(`${host}/manifest.jws`);
  const facts = (view: DataView, at: number) => {
    view.setUint16(at + 4, method, true);
    view.setUint32(at + 10, crc32(content), true);
    view.setUint32(at + 14, packed.length, true);
    view.setUint32(at + 18, content.length, true);
    view.setUint16(at + 22, name.length, true);
  };
  const header = (bytes: number, signature: number, fill: (view: DataView) => void) => {
    const written = new DataView(new ArrayBuffer(bytes));
    written.setUint32(0, signature, true);
    fill(written);
    return new Uint8Array(written.buffer);
  };
  const local = header(30, 0x04034b50, (view) => facts(view, 4));
  const central = header(46, 0x02014b50, (view) => facts(view, 6));
  const end = header(22, 0x06054b50, (view) => {
    view.setUint16(10, 1, true);
    view.setUint32(16, local.length + name.length + packed.length, true);
    view.setUint16(20, comment.length, true);
  });
  return new Uint8Array(Buffer.concat([local, name, packed, central, name, end, encoded(comment)]));
}

it('joins the archives of hosts into one, whatever they were packed with, and the same into the same bytes', () => {
  const [platform, signing] = [archiveOf('platform', { comment: 'packed again' }), archiveOf('signing', { method: 8 })];
  const joined = joinConfigurations([platform, signing]);
  expect(hostsIn(joined)).toEqual(['platform', 'signing']);
  expect(joinConfigurations([platform, signing])).toEqual(joined);
  expect(filesOfZip(joined)).toEqual([...filesOfZip(platform), ...filesOfZip(signing)]);
  expect(joinZips([joined])).toEqual(joined);
});

it('imports into the platform last, whose answer has secrets that no later failure may lose', async () => {
  const asked: string[] = [];
  const client = (host: string) => ({ POST: () => (asked.push(host), Promise.resolve({ data: { host } })) });
  const hosts = ['platform', 'compliance', 'signing'];
  const clients = Object.fromEntries(hosts.map((host) => [host, client(host)])) as unknown as ConfigurationClients;
  await importConfiguration(clients, joinConfigurations(hosts.map((host) => archiveOf(host))));
  expect(asked).toEqual(['compliance', 'signing', 'platform']);
});

it('refuses bytes that are no ZIP', () => {
  expect(() => hostsIn(encoded('%PDF-1.7 and more than an end record has'))).toThrow(RangeError);
  expect(() => hostsIn(new Uint8Array())).toThrow(RangeError);
});
