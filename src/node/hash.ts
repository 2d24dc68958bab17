import { createHash } from "node:crypto";
import type { Hash } from "../core/ports.ts";

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. */
export const sha256: Hash = (text) => createHash("sha256").update(text, "utf8").digest("hex");
