// The few names of Node.js that this service uses, so that it can be read without installing anything.
declare module "node:fs/promises" {
  export function readFile(file: string): Promise<Buffer>;
}
declare module "node:path" {
  const path: { join(...parts: string[]): string };
  export default path;
}
declare module "node:http" {
  interface Request extends AsyncIterable<Buffer> {
    readonly url?: string;
  }
  interface Response {
    end(body?: string | Buffer): void;
    writeHead(status: number): Response;
  }
  export function createServer(handle: (request: Request, response: Response) => void): { listen(port: number): unknown };
}
declare module "node:assert/strict" {
  const assert: { equal(actual: unknown, expected: unknown): void };
  export default assert;
}
declare module "node:test" {
  export default function test(name: string, run: () => void): void;
}
declare interface Buffer extends Uint8Array {
  toString(encoding?: "utf8"): string;
}
declare const Buffer: { concat(parts: readonly Buffer[]): Buffer };
declare const URL: new (path: string, base?: string) => URL;
declare interface URL {
  readonly pathname: string;
  readonly searchParams: { get(name: string): string | null };
}
