import 'reflect-metadata';
import { type DynamicModule, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it, vi } from 'vitest';

const closed: string[] = [];

/** As the kits do: a global module that closes what it provides. */
function kit(name: string, fails = false): DynamicModule {
  @Module({})
  class KitModule implements OnApplicationShutdown {
    async onApplicationShutdown(): Promise<void> {
      closed.push(name);
      if (fails) throw new Error(`${name} is gone`);
    }
  }
  return { module: KitModule, global: true };
}

@Injectable()
class Loop implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    closed.push('loop');
  }
}

@Injectable()
class Sweep implements OnApplicationShutdown {
  constructor(readonly loop: Loop) {}

  onApplicationShutdown(): void {
    closed.push('sweep');
  }
}

@Module({ providers: [Sweep, Loop], exports: [Loop] })
class MailsModule {}

@Injectable()
class Expiry implements OnApplicationShutdown {
  constructor(readonly loop: Loop) {}

  onApplicationShutdown(): void {
    closed.push('expiry');
    throw new Error('a sweep fails');
  }
}

@Module({ imports: [MailsModule], providers: [Expiry] })
class EnvelopesModule {}

@Module({ imports: [kit('database'), kit('storage', true), kit('queues'), MailsModule, EnvelopesModule] })
class AppModule {}

it('an app on modules closes who uses before what is used, features before kits, also when closes fail, and logs the failures', async () => {
  const error = vi.fn();
  const logger = { log: vi.fn(), warn: vi.fn(), error };
  const app = await NestFactory.createApplicationContext(AppModule, { logger, abortOnError: false });
  await app.close();
  expect(closed).toEqual(['expiry', 'sweep', 'loop', 'queues', 'storage', 'database']);
  const failures = error.mock.calls.map(([reason]) => String(reason));
  expect(failures).toEqual(['Error: a sweep fails', 'Error: storage is gone']);
});
