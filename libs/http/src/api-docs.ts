import type { FastifyInstance } from 'fastify';

export function registerApiDocs(_server: FastifyInstance, _name: string, _file: string, _assets?: string): void {}
