import { Module } from '@nestjs/common';
import { ListEvents } from './list-events.ts';
import { ShowEvent } from './show-event.ts';

@Module({ controllers: [ListEvents, ShowEvent] })
export class EventsModule {}
