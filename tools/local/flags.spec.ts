import { describe, expect, it } from 'vitest';
import { readFlags } from './flags.mjs';
import { isLocalDatabase } from './local-database.mjs';

describe('the flags of npm start', () => {
  it('are all off without arguments', () => {
    expect(readFlags([])).toEqual({ detach: false, check: false, fresh: false, help: false, portBase: null });
  });

  it('take the port base as two words or with an equals sign', () => {
    expect(readFlags(['--port-base', '4000', '--fresh'])).toMatchObject({ portBase: 4000, fresh: true });
    expect(readFlags(['--port-base=4000'])).toMatchObject({ portBase: 4000 });
  });

  it.each([
    [['--fast'], 'There is no flag "--fast".'],
    [['--check=yes'], 'There is no flag "--check=yes".'],
    [['detach'], 'There is no flag "detach".'],
    [['--port-base'], '--port-base needs a port from 1024 to 65000, not "".'],
    [['--port-base', '80'], '--port-base needs a port from 1024 to 65000, not "80".'],
    [['--port-base', '65001'], '--port-base needs a port from 1024 to 65000, not "65001".'],
    [['--port-base', '3e3'], '--port-base needs a port from 1024 to 65000, not "3e3".'],
    [['--detach', '--check'], '--check ends by itself: use it without --detach.'],
  ])('refuse %j with the usage and exit code 2', (args, sentence) => {
    expect(() => readFlags(args)).toThrowError(
      expect.objectContaining({ message: expect.stringMatching(/Usage: npm start/), exitCode: 2 }),
    );
    expect(() => readFlags(args)).toThrowError(sentence);
  });
});

describe('the database that the month of the demo is written to', () => {
  it.each([
    ['postgres://postgres:secret@127.0.0.1:3007/constancia', true],
    ['postgres://postgres@localhost/constancia', true],
    ['postgres://postgres@[::1]:5432/constancia', true],
    ['postgres:///constancia?host=/var/run/postgresql', true],
    ['postgres://postgres@%2Fvar%2Frun%2Fpostgresql/constancia', true],
    ['postgres://postgres@db.bank.example/constancia', false],
    ['postgres://postgres@localhost.bank.example/constancia', false],
    ['postgres://postgres@localhost/constancia?host=db.bank.example', false],
    ['postgres:///constancia', false],
  ])('is at %s: on this machine %s', (url, local) => {
    expect(isLocalDatabase(url)).toBe(local);
  });
});
