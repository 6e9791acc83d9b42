/** The other side of the HTTP bench: the same framework, answering a constant. Prints its port. */
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

const CONSTANT = {
  id: 'sig_01h455vb4pex5vsknk084sn02q',
  template_id: 'tpl_01h455vb4pex5vsknk084sn02q',
  subject_ref: 'customer-1',
  status: 'pending',
  created_at: '2026-11-21T12:00:00.000Z',
  credits_debited: 40,
};

@Controller('v1/signatures')
class Constant {
  @Get(':id')
  handle() {
    return CONSTANT;
  }
}

@Module({ controllers: [Constant] })
class ConstantModule {}

const app = await NestFactory.create<NestFastifyApplication>(ConstantModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
console.log(JSON.stringify({ url: await app.getUrl() }));
