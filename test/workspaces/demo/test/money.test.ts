import assert from "node:assert/strict";
import test from "node:test";
import { formatMoney } from "../src/money.ts";

test("cents are written with two digits", () => {
  assert.equal(formatMoney(1205), "12.05 EUR");
});
