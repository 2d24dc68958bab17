/** An amount in cents: never a fraction, so that sums stay exact. */
export type Cents = number;

/** Cents as people read them, for example `12.50 EUR`. */
export function formatMoney(cents: Cents, currency = "EUR"): string {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}${whole}.${rest} ${currency}`;
}
