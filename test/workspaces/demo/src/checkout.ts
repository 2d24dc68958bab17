import type { Cents } from "./money.ts";

export interface Line {
  readonly article: string;
  readonly price: Cents;
  readonly quantity: number;
}

/** What a customer owes for a basket. */
export function total(lines: readonly Line[]): Cents {
  let sum = 0;
  for (const line of lines) {
    sum += line.price * line.quantity;
  }
  return sum;
}
