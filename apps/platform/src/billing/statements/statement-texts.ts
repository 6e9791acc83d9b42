import type { Locale } from '../../locale.ts';

export interface StatementTexts {
  title: string;
  provisional: string;
  final: string;
  madeAt: string;
  tenant: string;
  month: string;
  status: string;
  columns: [what: string, count: string, credits: string];
  opening: string;
  grants: string;
  topUps: string;
  reversals: string;
  usage: string;
  refunds(operation: string): string;
  closing: string;
  held: string;
  operations: Readonly<Record<string, string>>;
  unit: string;
  sealTitle: string;
  seal(fingerprint: string): string;
  page(number: number, of: number): string;
}

const ES: StatementTexts = {
  title: 'Estado de cuenta de créditos',
  provisional: 'PROVISIONAL: el mes no ha terminado y las cifras pueden cambiar',
  final: 'Definitivo',
  madeAt: 'Elaborado',
  tenant: 'Cliente',
  month: 'Mes',
  status: 'Estado',
  columns: ['Concepto', 'Cantidad', 'Créditos'],
  opening: 'Saldo inicial',
  grants: 'Créditos otorgados',
  topUps: 'Recargas',
  reversals: 'Recargas revertidas',
  usage: 'Consumo',
  refunds: (operation) => `${operation}: devoluciones`,
  closing: 'Saldo final',
  held: 'de ellos, reservados para trabajo en curso',
  operations: {
    signature: 'Firmas de documentos',
    envelope: 'Sobres con varios firmantes',
    screening: 'Consultas de listas restrictivas',
    kyc: 'Verificaciones de identidad',
    kyc_reuse: 'Verificaciones de identidad reutilizadas',
  },
  unit: 'Los créditos son enteros. El mes va de medianoche a medianoche en Bogotá (UTC-5).',
  sealTitle: 'Cómo se verifica',
  seal: (fingerprint) =>
    `Este documento lleva una firma electrónica (PAdES) que cubre todos sus bytes y no admite cambios. La clave que firma tiene la huella SHA-256 ${fingerprint}. GET /v1/billing/statement-keys entrega la clave pública y su certificado.`,
  page: (number, of) => `Página ${number} de ${of}`,
}; // prettier-ignore

const EN: StatementTexts = {
  title: 'Statement of credits',
  provisional: 'PROVISIONAL: the month is not over and figures may change',
  final: 'Final',
  madeAt: 'Made at',
  tenant: 'Customer',
  month: 'Month',
  status: 'Status',
  columns: ['Item', 'Count', 'Credits'],
  opening: 'Opening balance',
  grants: 'Credits granted',
  topUps: 'Top-ups',
  reversals: 'Top-ups that were reversed',
  usage: 'Usage',
  refunds: (operation) => `${operation}: refunds`,
  closing: 'Closing balance',
  held: 'of these, held for work under way',
  operations: {
    signature: 'Signed documents',
    envelope: 'Envelopes with several signers',
    screening: 'Screenings against restrictive lists',
    kyc: 'Identity verifications',
    kyc_reuse: 'Reused identity verifications',
  },
  unit: 'Credits are whole numbers. The month is from midnight to midnight in Bogotá (UTC-5).',
  sealTitle: 'How to verify it',
  seal: (fingerprint) =>
    `This document has an electronic signature (PAdES) that covers all of its bytes and permits no change. The SHA-256 fingerprint of the key that signs is ${fingerprint}. GET /v1/billing/statement-keys gives the public key and its certificate.`,
  page: (number, of) => `Page ${number} of ${of}`,
}; // prettier-ignore

export const STATEMENT_TEXTS: Readonly<Record<Locale, StatementTexts>> = { 'es-CO': ES, en: EN };
