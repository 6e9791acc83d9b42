import { describe, expect, it } from 'vitest';
import { memoryOf, processMemory } from './process-memory.ts';

const STATUS = `Name:\tnode
VmPeak:\t 1249948 kB
VmRSS:\t   62464 kB
RssAnon:\t   18432 kB
RssFile:\t   42496 kB
RssShmem:\t    1024 kB
VmData:\t  568320 kB
VmSwap:\t    2048 kB
`;

describe('the memory of a process', () => {
  it('is what it alone holds, without files and reservations, next to what RLIMIT_DATA counts', () => {
    expect(memoryOf(STATUS)).toEqual({ heldMb: 21, dataMb: 555 });
  });

  it('is unknown for a process that has ended', () => {
    expect(memoryOf('Name:\tnode\nState:\tZ (zombie)\n')).toBeUndefined();
    expect(processMemory(2 ** 22 + 1)).toBeUndefined();
  });

  it.skipIf(process.platform !== 'linux')('grows by what is allocated and touched', () => {
    const before = processMemory('self')?.heldMb as number;
    const held = Buffer.alloc(256 * 1024 * 1024, 1); // garbage of earlier specs may be collected meanwhile
    expect((processMemory('self')?.heldMb as number) - before).toBeGreaterThan(200);
    expect(held).toHaveLength(256 * 1024 * 1024);
  });
});
