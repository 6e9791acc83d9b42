import type { FastifyInstance } from 'fastify';

export function registerProblemPages(_server: FastifyInstance): void {}
