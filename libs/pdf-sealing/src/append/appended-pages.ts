import type { LaidOut } from '../lay-out.ts';
import type { CompiledTemplate } from './compiled-template.ts';
import { contentOf } from './mark.ts';
import { ResourceNames } from './resource-names.ts';
import type { Update } from './update.ts';
import type { Workshop } from './workshop.ts';

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Puts pages behind the template's own: one branch for them all, named last in the root of the page tree, which alone is rewritten.
 * What pages inherit from the root (boxes, rotation, resources) each new page has of its own.
 */
export function appendPages(
  { pageTree }: CompiledTemplate,
  pages: LaidOut<unknown>['appended'],
  update: Update,
  workshop: Workshop,
): void {
  const branch = update.reserve();
  const kids = pages.map(({ width, height, marks }) => {
    const names = new ResourceNames(NO_NAMES, workshop);
    const visible = { left: 0, bottom: 0, right: width, top: height };
    const contents = update.addStream(contentOf(marks, { visible, rotation: 0, width, height }, names));
    const box = `[0 0 ${width} ${height}]`;
    const resources = [names.fonts && `/Font << ${names.fonts}>> `, names.images && `/XObject << ${names.images}>> `];
    const page = [
      `<< /Type /Page /Parent ${branch} 0 R /MediaBox ${box} /CropBox ${box} /Rotate 0 `,
      `/Resources << ${resources.join('')}>> /Contents ${contents} 0 R >>`,
    ];
    return `${update.add(page.join(''))} 0 R`;
  });
  const { id, rest, kids: own, count } = pageTree;
  const parent = `${id.number} ${id.generation} R`;
  update.set(
    { number: branch, generation: 0 },
    `<< /Type /Pages /Parent ${parent} /Count ${kids.length} /Kids [${kids.join(' ')}] >>`,
  );
  update.set(id, `<< ${rest}/Count ${count + kids.length} /Kids [${own} ${branch} 0 R] >>`);
}
