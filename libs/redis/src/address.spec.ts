import { describe, expect, it } from 'vitest';
import { parseRedisAddress, redisAddressProblem } from './address.ts';

describe('the address of Redis', () => {
  it.each([
    'redis://redis',
    'redis://:secret@redis:6379/3?family=6',
    'rediss://user:a,b@redis:6380',
    'redis://127.0.0.1:6379',
    'redis://[::1]:6379',
  ])('is of one server as it always was: %s', (url) => {
    expect(parseRedisAddress(url)).toEqual({ kind: 'server', url });
  });

  it('is of a cluster when it names several nodes', () => {
    expect(parseRedisAddress('rediss://ana:p%40s,s@node-1:7000, rediss://ana:p%40s,s@[fd00::2]')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'node-1', port: 7000 },
        { host: 'fd00::2', port: 6379 },
      ],
      username: 'ana',
      password: 'p@s,s',
      tls: true,
    });
  });

  it('is of a cluster when it says so: a name that stands for all of its nodes', () => {
    const nodes = [{ host: 'clustercfg.example', port: 6379 }];
    expect(parseRedisAddress('redis://clustercfg.example?cluster=true')).toEqual({
      kind: 'cluster',
      nodes,
      tls: false,
    });
  });

  it.each([
    ['redis:6379', /^must be a redis:\/\/ or rediss:\/\/ address; for a cluster several/],
    ['http://redis:6379', /^must be a redis/],
    ['redis://:hunter2@a:1,b:2', /^must be a redis/],
    ['redis://a,redis://', /^must be a redis/],
    ['redis://:hunter2@node-1,node-2', /^must be a redis/],
    ['redis://a:hunter2,redis://b', /^must be a redis/],
    ['redis://a,http://b', /^must be a redis/],
    ['redis://:hunter2@a,rediss://:hunter2@b', /^mixes redis:\/\/ and rediss:\/\//],
    ['redis://:hunter2@a,redis://b', /^has several users or passwords/],
    ['redis://ana:hunter2@a,redis://eva:hunter2@b', /^has several users or passwords/],
    ['redis://a/0,redis://b/2', /^names a database/],
    ['redis://a?cluster=true&family=6', /^has a parameter other than/],
    ['redis://a?cluster=yes', /^has a parameter `cluster` that is not `true`/],
    ['redis://:hunter2%zz@a,redis://:hunter2%zz@b', /^has a % in its user or password/],
  ])('is refused with what is wrong, and without its password: %s', (address, problem) => {
    expect(redisAddressProblem(address)).toMatch(problem);
    expect(redisAddressProblem(address)).not.toContain('hunter2');
  });
});
