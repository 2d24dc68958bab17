/** A confidence or share with two decimals, never more than it is: 0.9499 does not pass for the 0.95 that a rule asks for. */
export function figure(value: number): string {
  const rounded = value.toFixed(2);
  return Number(rounded) > value ? (Number(rounded) - 0.01).toFixed(2) : rounded;
}
