/** How a container of an image runs, in the words of the OCI image specification (Healthcheck: of Docker, which alone reads it). */
export interface ContainerConfig {
  User?: string;
  ExposedPorts?: Record<string, object>;
  Env?: string[];
  Entrypoint?: string[];
  WorkingDir?: string;
  Labels?: Record<string, string>;
  StopSignal?: string;
  Healthcheck?: { Test: string[]; Interval: number; Timeout: number; StartPeriod: number; Retries: number };
}

export interface Copy {
  /** Paths in the stage that builds, or in the context. A folder stands for what is in it. */
  from: string[];
  to: string;
}

export interface Stage {
  copies: Copy[];
  config: ContainerConfig;
}

/** What a command of the Dockerfile makes and a release leaves out: V8 compiles other bytes each time. Node does without. */
const OF_COMMANDS = ['NODE_COMPILE_CACHE'];
const NANOSECONDS = 1e9;

/**
 * The last stage of docker/Dockerfile, from which images are made without an engine. Its commands (RUN) are not run. Throws for an
 * instruction that it does not know, and for a variable without a value.
 */
export function lastStage(dockerfile: string, args: Readonly<Record<string, string>>): Stage {
  const variables: Record<string, string> = { ...args };
  const stage: Stage = { copies: [], config: {} };
  for (const [instruction, text] of instructionsOf(dockerfile)) {
    const apply = INSTRUCTIONS[instruction];
    if (apply === undefined) throw new Error(`docker/Dockerfile: ${instruction} is not known here`);
    apply(stage, text, variables);
  }
  return stage;
}

/** The instructions after the last FROM: name and the rest of the line. */
function instructionsOf(dockerfile: string): [string, string][] {
  const lines = dockerfile
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): [string, string] => line.split(/\s+(.*)/s).slice(0, 2) as [string, string]);
  return lines.slice(lines.findLastIndex(([name]) => name === 'FROM') + 1);
}

type Apply = (stage: Stage, text: string, variables: Record<string, string>) => void;

const INSTRUCTIONS: Record<string, Apply> = {
  ARG: (_, text, variables) => {
    const [name, value] = text.split('=') as [string, string | undefined];
    if (value !== undefined) variables[name] ??= value;
  },
  LABEL: ({ config }, text, variables) => {
    config.Labels = { ...config.Labels, ...Object.fromEntries(pairs(filled(text, variables))) };
  },
  ENV: ({ config }, text, variables) => {
    const given = pairs(filled(text, variables)).filter(([name]) => !OF_COMMANDS.includes(name));
    config.Env = [...(config.Env ?? []), ...given.map(([name, value]) => `${name}=${value}`)];
  },
  COPY: ({ copies }, text, variables) => {
    const paths = filled(text, variables)
      .split(/\s+/)
      .filter((word) => !word.startsWith('--'));
    copies.push({ from: paths.slice(0, -1), to: paths.at(-1) as string });
  },
  WORKDIR: ({ config }, text) => void (config.WorkingDir = text),
  USER: ({ config }, text) => void (config.User = text),
  STOPSIGNAL: ({ config }, text) => void (config.StopSignal = text),
  EXPOSE: ({ config }, text) => {
    config.ExposedPorts = Object.fromEntries(text.split(/\s+/).map((port) => [`${port}/tcp`, {}]));
  },
  ENTRYPOINT: ({ config }, text) => void (config.Entrypoint = JSON.parse(text) as string[]),
  HEALTHCHECK: ({ config }, text) => {
    const [options, test] = text.split(/\s*CMD\s*(\[.*)/s) as [string, string];
    const option = (name: string) => Number(new RegExp(`--${name}=(\\d+)s?\\b`).exec(options)?.[1]);
    config.Healthcheck = {
      Test: ['CMD', ...(JSON.parse(test) as string[])],
      Interval: option('interval') * NANOSECONDS,
      Timeout: option('timeout') * NANOSECONDS,
      StartPeriod: option('start-period') * NANOSECONDS,
      Retries: option('retries'),
    };
  },
  RUN: () => undefined,
};

const pairs = (text: string): [string, string][] =>
  [...text.matchAll(/([\w.-]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
    name as string,
    quoted ?? (plain as string),
  ]);

function filled(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`docker/Dockerfile: ${name} has no value`);
    return value;
  });
}
