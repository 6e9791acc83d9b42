import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lastStage } from './dockerfile.ts';

const dockerfile = fs.readFileSync('docker/Dockerfile', 'utf8');

describe('what docker/Dockerfile says about an image', () => {
  it('is read from its last stage, with the values of its arguments', () => {
    const { copies, config } = lastStage(dockerfile, { APP: 'signing', VERSION: '1.2.0', REVISION: 'abc' });
    expect(copies).toEqual([
      { from: ['/src/dist/apps/signing/main.js', '/src/dist/apps/signing/'], to: '/app/' },
      { from: ['LICENSE', 'NOTICE'], to: '/app/' },
    ]);
    expect(config).toMatchObject({
      User: '65532:65532',
      WorkingDir: '/app',
      StopSignal: 'SIGTERM',
      Entrypoint: ['node', '--enable-source-maps', '/app/main.js'],
      ExposedPorts: { '3000/tcp': {}, '3003/tcp': {}, '3009/tcp': {}, '9090/tcp': {} },
      Healthcheck: { Interval: 10e9, Timeout: 3e9, StartPeriod: 30e9, Retries: 3 },
    });
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'constancia-signing',
      'org.opencontainers.image.version': '1.2.0',
      'org.opencontainers.image.revision': 'abc',
    });
    expect(config.Healthcheck?.Test[3]).toContain('${process.env.OPS_PORT}');
    expect(config.Env).toContain('NODE_ENV=production');
  });

  it('names no folder that a command would have made', () => {
    const { config } = lastStage(dockerfile, { APP: 'signing' });
    expect(config.Env?.join()).not.toContain('/app/compiled');
  });

  it('is refused when it is not understood', () => {
    expect(() => lastStage('FROM a\nVOLUME /data\n', {})).toThrow('VOLUME is not known here');
    expect(() => lastStage('FROM a\nLABEL a="${B}"\n', {})).toThrow('B has no value');
  });
});
