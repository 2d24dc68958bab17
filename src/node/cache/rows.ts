/** A row as it lies on disk. */
export interface Row {
  readonly kind: string;
  readonly id: string;
  readonly about: string;
  /** When it was written, milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
  readonly seal: string;
}

/** Rows by kind and id. No method throws; a row that could not be read or written is absent. */
export interface Database {
  get(kind: string, id: string): Row | undefined;
  about(kind: string, about: string): readonly Row[];
  put(row: Row): void;
  remove(kind: string, id: string): void;
  close(): void;
}
