import type { RightRow, RowError } from '@constancia/batches';
import type { PlacedDrawing } from '@constancia/pdf-sealing';
import { pointerTo } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { Circuit } from '../circuits/circuit.entity.ts';
import { DryRun, fieldIn } from '../dry-run.ts';
import type { EnvelopeOrder } from '../envelope-orders/envelope-order.ts';
import { givenDrawings, givenValues } from '../envelope-values/given-values.ts';
import type { OrderReader } from './batch-rows.ts';

interface DrawnRow extends RightRow<EnvelopeOrder> {
  drawings: PlacedDrawing[];
}

/** Finds rows with values that cannot be drawn on the document. */
@Injectable()
export class RowDrawings {
  constructor(private readonly dryRun: DryRun) {}

  /** Throws DependencyUnavailable when nothing can be drawn at present. */
  async errors(circuit: Circuit, reader: OrderReader, rows: readonly RightRow<EnvelopeOrder>[]): Promise<RowError[]> {
    const drawn = rows
      .map((row) => {
        const { given } = givenValues(circuit, row.subject.values);
        return { ...row, drawings: givenDrawings(given, circuit, row.subject.locale ?? 'es-CO') };
      })
      .filter(({ drawings }) => drawings.length > 0);
    return this.among(circuit, reader, drawn);
  }

  /** All rows at once, on one copy of the document; when one of them is wrong, each half by itself. */
  private async among(circuit: Circuit, reader: OrderReader, rows: readonly DrawnRow[]): Promise<RowError[]> {
    const [first] = rows;
    if (!first) return [];
    try {
      await this.draw(circuit, rows.flatMap(({ drawings }) => drawings)); // prettier-ignore
      return [];
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const { row, line } = first;
      if (rows.length === 1) return reader.at(`/rows/${row}`, error.errors).map((one) => ({ ...one, row, line }));
    }
    const middle = Math.ceil(rows.length / 2);
    const before = await this.among(circuit, reader, rows.slice(0, middle));
    return [...before, ...(await this.among(circuit, reader, rows.slice(middle)))];
  }

  private async draw({ base_pdf_key, base_pdf_sha256, fields }: Circuit, drawings: PlacedDrawing[]): Promise<void> {
    if (base_pdf_key === null || base_pdf_sha256 === null) throw new Error('a published circuit has a base PDF');
    await this.dryRun.of({ base_pdf_key, base_pdf_sha256 }, drawings, (sentence) =>
      pointerTo('/values', fieldIn(sentence, fields)?.key ?? ''),
    );
  }
}
