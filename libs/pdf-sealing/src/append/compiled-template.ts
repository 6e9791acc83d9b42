import type { EarlierSignatures } from '../earlier-signatures.ts';
import type { PageGeometry } from '../page-geometry.ts';
import type { CrossReference } from './cross-reference.ts';
import type { PageContent } from './page-content.ts';

/** Object and generation number. */
export interface ObjectId {
  number: number;
  generation: number;
}

/** A page as text, ready to be rewritten: what an update changes of it stands apart. */
export interface CompiledPage {
  id: ObjectId;
  geometry: PageGeometry;
  /** Entries but for /Contents, /Resources and /Annots. */
  rest: string;
  contents: string[];
  content: PageContent;
  annotations: string;
  resources: CompiledResources;
}

/** Resources, inherited ones included. Pages that share them share this. */
export interface CompiledResources {
  rest: string;
  fonts: string;
  images: string;
  /** Names in use, without their slash. */
  names: ReadonlySet<string>;
}

/** The arrays of a document security store without their brackets, and the entries of its /VRI. */
export interface CompiledEvidence {
  Certs: string;
  OCSPs: string;
  CRLs: string;
  VRI: string;
}

/**
 * All that an update of a template needs to know, as text and numbers: neither the file nor its parsed objects are kept, but
 * for a template that had to be rewritten.
 */
export interface CompiledTemplate {
  /** The file to append to when it is not the template itself: a damaged one, rewritten. */
  rewritten: Buffer | undefined;
  /** Length in bytes of the file to append to. */
  length: number;
  endsInLine: boolean;
  kind: CrossReference['kind'];
  startXref: number;
  size: number;
  /** As they stand in the trailer; empty where it has none. */
  root: string;
  info: string;
  firstId: string;
  pages: CompiledPage[];
  /** `rest`: entries other than /AcroForm, /Perms and /DSS. `permissions`: entries of /Perms without /DocMDP, which is `certification`. `security`: /DSS as it is in the file. */
  catalog: { id: ObjectId; rest: string; permissions: string; certification: string; security: string };
  /** What the document security store holds; empty texts without one. */
  evidence: CompiledEvidence;
  /** The root of the page tree: entries but for /Kids and /Count, its kids, and how many pages it has in all. */
  pageTree: { id: ObjectId; rest: string; kids: string; count: number };
  form: { id: ObjectId | undefined; rest: string; fields: string; names: ReadonlySet<string> };
  earlier: EarlierSignatures;
  /** What it takes in memory, roughly, in bytes. */
  heldBytes: number;
}
