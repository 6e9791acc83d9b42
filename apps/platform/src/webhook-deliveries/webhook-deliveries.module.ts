import { Module } from '@nestjs/common';
import { ListDeliveries } from './list-deliveries.ts';
import { ReplayDelivery } from './replay-delivery.ts';
import { ShowDelivery } from './show-delivery.ts';

@Module({ controllers: [ListDeliveries, ShowDelivery, ReplayDelivery] })
export class WebhookDeliveriesModule {}
