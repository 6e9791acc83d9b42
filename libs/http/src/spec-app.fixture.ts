import { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Module, Param, Post, Query, StreamableFile, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Type as TypeOf } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { DatabaseUnavailable, NotFound } from '@constancia/problem-json';
import { type Logger, Metrics, createLogger } from '@constancia/telemetry';
import {
  AllowRecoveryToken,
  BearerToken,
  ClientIp,
  CurrentTenant,
  Holder,
  HttpConfig,
  IdempotencyKey,
  Idempotent,
  PageQuery,
  AlsoOnPageHost,
  OnPageHost,
  AnyScope,
  PathCredential,
  Public,
  RawPdfBody,
  SecretPath,
  createHttpApp,
  type CredentialHolder,
  type HttpOptions,
  type Tenant,
} from './index.ts';
import { CountingLimiter, Links, OneKey } from './spec-doubles.fixture.ts';

export { CountingLimiter, KEY, Links, OneKey, PRINCIPAL, TENANT } from './spec-doubles.fixture.ts';

/** A small app that has one route of every kind; the specs of this library talk to it as a caller would. */

class Signer {
  @IsString()
  @MaxLength(20)
  role: string;

  @IsEmail()
  email: string;
}

class ThingBody {
  @Matches(/^[a-z]{1,8}$/)
  code: string;

  @IsOptional()
  @IsInt()
  size?: number;

  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @TypeOf(() => Signer)
  signers: Signer[];

  @IsOptional()
  @IsIn(['a', 'b'], { each: true })
  @IsArray()
  kinds?: string[];
}

class GraceBody {
  @IsOptional()
  @IsInt()
  grace_seconds?: number;
}

class ThingQuery extends PageQuery {
  @IsOptional()
  @IsIn(['open', 'shut'])
  status?: string;
}

export let calls = 0;

@Controller()
class Things {
  @Get('v1/things')
  @AnyScope()
  list(@CurrentTenant() tenant: Tenant, @Query() query: ThingQuery) {
    return { tenant: tenant.id, ...query };
  }

  @Get('v1/things/:id')
  @AnyScope()
  one(@Param('id') id: string) {
    if (id === 'missing') throw new NotFound();
    return { id };
  }

  @Post('v1/things')
  @AnyScope()
  @Idempotent()
  create(@Body() body: ThingBody, @IdempotencyKey() key: string | undefined) {
    calls++;
    return { ...body, key: key ?? null };
  }

  @Post('v1/pdf')
  @AnyScope()
  pdf(@RawPdfBody(1024) pdf: Buffer) {
    return { bytes: pdf.length };
  }

  @Post('v1/large-pdf')
  @AnyScope()
  largePdf(@RawPdfBody(25_000_000) pdf: Buffer) {
    return { bytes: pdf.length };
  }

  @Post('v1/maybe-pdf')
  @AnyScope()
  @HttpCode(200)
  maybePdf(@RawPdfBody(1024, { optional: true }) pdf: Buffer | undefined) {
    return { bytes: pdf?.length ?? null };
  }

  @Post('tenants/:id/rotate')
  @AnyScope()
  @HttpCode(200)
  @AllowRecoveryToken()
  rotate(@Body() body: GraceBody, @BearerToken() token: string | undefined, @CurrentTenant() tenant?: Tenant) {
    return { token: token ?? null, tenant: tenant?.id ?? null, grace_seconds: body.grace_seconds ?? null };
  }

  @Post('signup')
  @Public()
  signup() {
    return { ok: true };
  }

  @Get('open/ip')
  @Public()
  ip(@ClientIp() ip: string) {
    return { ip };
  }

  @Get('open/slow')
  @Public()
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return { ok: true };
  }

  @Get('v1/sign/:token')
  @Public()
  @SecretPath()
  sign() {
    throw new NotFound();
  }

  @Get('v1/links/:secret/state')
  @PathCredential('secret', 'link')
  @AlsoOnPageHost()
  link(@Holder() holder: CredentialHolder | undefined) {
    if (holder === undefined) throw new NotFound();
    return holder;
  }

  @Post('page/session')
  @Public()
  @OnPageHost()
  @HttpCode(200)
  pageOnly() {
    return { ok: true };
  }

  @Post('v1/links/:secret/fail')
  @PathCredential('secret', 'link')
  failingLink() {
    throw new Error('the secret of the link');
  }

  @Get('open/fails')
  @Public()
  fails() {
    throw new Error('the secret of the house');
  }

  @Get('open/file')
  @Public()
  file() {
    const broken = new Readable({ read() { this.destroy(new Error('the secret of the house')); } }); // prettier-ignore
    return new StreamableFile(broken, {
      type: 'text/csv',
      disposition: 'attachment; filename="things.csv"',
      length: 7,
    });
  }

  @Get('open/away')
  @Public()
  away() {
    throw new DatabaseUnavailable();
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

export interface SpecApp {
  app: NestFastifyApplication;
  limiter: CountingLimiter;
  keys: OneKey;
  links: Links;
  metrics: Metrics;
  log: string[];
  logger: Logger;
  config: HttpConfig;
}

/** Boots the app; what is given replaces the defaults. */
export async function specApp(
  given: Partial<Omit<HttpOptions, 'config'>> & { config?: Partial<HttpConfig> } = {},
  module: Type = ThingsModule,
): Promise<SpecApp> {
  const limiter = new CountingLimiter();
  const keys = new OneKey();
  const links = new Links();
  const metrics = new Metrics({ app: 'spec' });
  const log: string[] = [];
  const config = Object.assign(new HttpConfig(), {
    environment: 'sandbox',
    host: '127.0.0.1',
    port: 0,
    opsPort: 0,
    baseUrl: 'https://api.example.test',
    trustedProxyHops: 0,
    rateLimitTenant: 120,
    rateLimitIp: 120,
    rateLimitWrongKey: 30,
    readBudgetSeconds: 30,
    maxBodyMemoryMb: 256,
    logLevel: 'info',
    drainSeconds: 0,
    ...given.config,
  });
  const logger = createLogger({ app: 'spec', stream: { write: (line: string) => void log.push(line) } });
  const app = await createHttpApp(module, {
    name: 'spec',
    authenticator: keys,
    pathCredentials: { link: links },
    limiter,
    readiness: {},
    logger,
    metrics,
    ...given,
    config,
  });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { app, limiter, keys, links, metrics, log, logger, config };
}
