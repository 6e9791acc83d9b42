/** As far as it is used: its types come with those of browsers, which programs here do not have. */
declare namespace WebAssembly {
  class Memory {
    constructor(form: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    private readonly compiled: true;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>);
    readonly exports: Record<string, unknown>;
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}
