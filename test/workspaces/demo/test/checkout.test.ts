import assert from "node:assert/strict";
import test from "node:test";
import { total } from "../src/checkout.ts";

test("a basket costs the sum of its lines", () => {
  assert.equal(total([{ article: "box", price: 250, quantity: 2 }]), 500);
});
