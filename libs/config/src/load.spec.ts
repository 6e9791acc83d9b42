import { IsIn, IsInt, IsOptional, Max } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { ConfigInvalid, Env, describeConfig, loadConfig } from './index.ts';

class ServerConfig {
  @Env('PORT', { description: 'Port to listen on', default: '3000' })
  @IsInt()
  @Max(65_535)
  port: number;

  @Env('SERVICE_ENVIRONMENT', { description: 'sandbox or production' })
  @IsIn(['sandbox', 'production'])
  environment: string;
}

class AppConfig extends ServerConfig {
  @Env('DATABASE_URL', { description: 'Postgres', secret: true })
  databaseUrl: string;

  @Env('LOOPBACK', { description: 'Allow loopback', default: 'false' })
  loopback: boolean;

  @Env('KEYS', { description: 'Keys, current first', secret: true, default: 'a, b' })
  keys: string[];

  @Env('REDIS_URL', { description: 'Redis' })
  @IsOptional()
  redisUrl?: string;

  @Env('PIN', { description: 'A number that is secret', secret: true, default: '1' })
  @IsInt()
  pin: number;
}

const ENV = { SERVICE_ENVIRONMENT: 'sandbox', DATABASE_URL: 'postgres://x' };

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(AppConfig, env);
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems;
  }
  return [];
}

describe('loading a configuration', () => {
  it('reads each variable in the type of its field, inherited ones too', () => {
    expect(loadConfig(AppConfig, { ...ENV, LOOPBACK: 'TRUE', PORT: ' 8080 ' })).toEqual({
      port: 8080,
      environment: 'sandbox',
      databaseUrl: 'postgres://x',
      loopback: true,
      keys: ['a', 'b'],
      pin: 1,
    });
  });

  it('names everything that is wrong at once, one line each', () => {
    expect(problemsOf({ SERVICE_ENVIRONMENT: 'qa', PORT: '70000', LOOPBACK: 'perhaps' })).toEqual([
      'DATABASE_URL is required: Postgres',
      'LOOPBACK must be true or false, not "perhaps"',
      'PORT must not be greater than 65535',
      'SERVICE_ENVIRONMENT must be one of the following values: sandbox, production',
    ]);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(problemsOf({ ...ENV, DATABASE_URL: '  ' })).toEqual(['DATABASE_URL is required: Postgres']);
    expect(loadConfig(AppConfig, { ...ENV, PORT: '', REDIS_URL: '' })).toMatchObject({ port: 3000 });
  });

  it('never prints the value of a secret', () => {
    const problems = problemsOf({ ...ENV, PIN: 'hunter2' });
    expect(problems).toEqual(['PIN must be a whole number']);
  });

  it.each(['1.5', '1e3', '0x10', '99999999999999999999', 'NaN'])('does not take %s for a whole number', (PORT) => {
    expect(problemsOf({ ...ENV, PORT })).toHaveLength(1);
  });

  it('describes every variable for the documentation', () => {
    expect(describeConfig(AppConfig)).toContainEqual({
      name: 'DATABASE_URL',
      description: 'Postgres',
      default: undefined,
      secret: true,
      required: true,
    });
    expect(
      describeConfig(AppConfig)
        .filter(({ required }) => required)
        .map(({ name }) => name),
    ).toEqual(['SERVICE_ENVIRONMENT', 'DATABASE_URL']);
    expect(describeConfig(ServerConfig)).toHaveLength(2);
  });
});
