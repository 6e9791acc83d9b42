interface Waiting {
  bytes: number;
  enter: () => void;
}

/** Lets in work by the memory that it takes; what does not fit waits in order. Work that is larger than the room has it alone. */
export class MemoryBudget {
  private free: number;
  private readonly line: Waiting[] = [];

  constructor(private readonly bytes: number) {
    this.free = bytes;
  }

  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(bytes, this.bytes);
    if (this.line.length === 0 && taken <= this.free) this.free -= taken;
    else await new Promise<void>((resolve) => this.line.push({ bytes: taken, enter: resolve }));
    try {
      return await work();
    } finally {
      this.free += taken;
      this.letIn();
    }
  }

  private letIn(): void {
    for (let next = this.line[0]; next && next.bytes <= this.free; next = this.line[0]) {
      this.line.shift();
      this.free -= next.bytes;
      next.enter();
    }
  }
}
