import { describe, expect, it } from 'vitest';
import { closeAll } from './close-all.ts';

describe('closeAll', () => {
  const fails = (message: string) => () => Promise.reject(new Error(message));

  it('closes in order, each after the one before', async () => {
    const closed: string[] = [];
    const close = (name: string) => async () => {
      await Promise.resolve();
      closed.push(name);
    };
    await closeAll([close('queue'), () => closed.push('timer'), close('database')]);
    expect(closed).toEqual(['queue', 'timer', 'database']);
  });

  it('closes everything, also behind what fails, and reports every error', async () => {
    const closed: string[] = [];
    const closing = closeAll([
      fails('queue is gone'),
      () => {
        throw new Error('mailer is gone');
      },
      () => closed.push('database'),
    ]);
    await expect(closing).rejects.toThrow('2 closes failed: queue is gone; mailer is gone');
    await expect(closing).rejects.toMatchObject({
      errors: [{ message: 'queue is gone' }, { message: 'mailer is gone' }],
    });
    expect(closed).toEqual(['database']);
  });

  it('throws a single error as it is', async () => {
    await expect(closeAll([fails('queue is gone'), () => undefined])).rejects.toThrow(/^queue is gone$/);
  });
});
