import { createHash } from "node:crypto";
import type { Hash } from "../core/ports.ts";

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits, or the first of them. */
export const sha256: Hash = (text, digits = 64) =>
  createHash("sha256")
    .update(text, "utf8")
    .digest()
    .toString("hex", 0, digits / 2);
