import { Module } from '@nestjs/common';
import { MercadoPago } from '../provider/mercado-pago.ts';
import { PaymentProvider } from '../provider/payment-provider.ts';
import { ProviderHttp } from '../provider/provider-http.ts';
import { RefreshTrm } from '../trm/refresh-trm.ts';
import { TrmRates } from '../trm/trm-rates.ts';
import { CheckPending } from './check-pending.ts';
import { ComparePayments } from './compare-payments.ts';
import { CreateTopup } from './create-topup.ts';
import { ListTopups } from './list-topups.ts';
import { LookUpPayments } from './look-up-payments.ts';
import { PutReturnOrigins } from './put-return-origins.ts';
import { Quotes } from './quotes.ts';
import { ReceiveCallback } from './receive-callback.ts';
import { ReturnOrigins } from './return-origins.ts';
import { ReturnPayer } from './return-payer.ts';
import { SettlePayment } from './settle-payment.ts';
import { ShowQuote } from './show-quote.ts';
import { ShowTopup } from './show-topup.ts';
import { Topups } from './topups.ts';

/** Buying credits: quotes, checkouts, callbacks, and what keeps the ledger equal to the payments. */
@Module({
  controllers: [CreateTopup, ListTopups, ShowQuote, ShowTopup, PutReturnOrigins, ReceiveCallback, ReturnPayer],
  providers: [
    ProviderHttp,
    { provide: PaymentProvider, useClass: MercadoPago },
    TrmRates,
    RefreshTrm,
    Quotes,
    Topups,
    ReturnOrigins,
    SettlePayment,
    LookUpPayments,
    CheckPending,
    ComparePayments,
  ],
  exports: [ReturnOrigins],
})
export class TopupModule {}
