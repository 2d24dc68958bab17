// Writes a tiny language model with random weights: real mathematics, real tokens, no sense. The same for the same seed.
import { writeFileSync } from "node:fs";

const EMBEDDING = 64;
const FEED_FORWARD = 128;
const HEADS = 4;
const LAYERS = 2;
const CONTEXT = 65_536;
const ALIGNMENT = 32;

/** Types of GGUF values, and of tokens in a SentencePiece vocabulary. */
const GGUF = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };
const TOKEN = { normal: 1, unknown: 2, control: 3, byte: 6 };

/**
 * The beginnings of all words of a text, each with the blank before it: the tokenizer grows a word from left to right, so that
 * a prompt has a third of the tokens it would have by characters.
 */
function beginnings(text) {
  const words = new Set(text.match(/(?<= )[A-Za-z]{2,12}/g));
  const all = Array.from(words, (word) => Array.from(word, (_, index) => `\u2581${word.slice(0, index + 1)}`)).flat();
  return [...new Set(all)];
}

/**
 * @param {string} text whose words are known
 * @returns {{text: string, type: number}[]} 3 special tokens, one for each byte, the printable characters of ASCII, and words
 */
function vocabulary(text) {
  const special = [
    { text: "<unk>", type: TOKEN.unknown },
    { text: "<s>", type: TOKEN.control },
    { text: "</s>", type: TOKEN.control },
  ];
  const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");
  const bytes = Array.from({ length: 256 }, (_, byte) => ({ text: `<0x${hex(byte)}>`, type: TOKEN.byte }));
  const printable = Array.from({ length: 95 }, (_, index) => ({
    text: index === 0 ? "\u2581" : String.fromCharCode(32 + index),
    type: TOKEN.normal,
  }));
  const words = beginnings(text).map((word) => ({ text: word, type: TOKEN.normal }));
  return [...special, ...bytes, ...printable, ...words];
}

/** Uniform numbers in -1..1, the same for the same seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2_147_483_648 - 1;
  };
}

/** Collects little-endian bytes. */
class Bytes {
  parts = [];
  length = 0;

  add(buffer) {
    this.parts.push(buffer);
    this.length += buffer.length;
  }
  uint32(value) {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32LE(value);
    this.add(buffer);
  }
  uint64(value) {
    const buffer = Buffer.alloc(8);
    buffer.writeBigUInt64LE(BigInt(value));
    this.add(buffer);
  }
  float32(value) {
    const buffer = Buffer.alloc(4);
    buffer.writeFloatLE(value);
    this.add(buffer);
  }
  string(text) {
    const buffer = Buffer.from(text, "utf8");
    this.uint64(buffer.length);
    this.add(buffer);
  }
  pad() {
    this.add(Buffer.alloc((ALIGNMENT - (this.length % ALIGNMENT)) % ALIGNMENT));
  }
  value(type, value) {
    if (type === GGUF.string) this.string(value);
    else if (type === GGUF.float32) this.float32(value);
    else if (type === GGUF.bool) this.add(Buffer.from([value ? 1 : 0]));
    else this.uint32(value);
  }
}

function metadata(tokens) {
  const one = (key, type, value) => ({ key, type, value });
  const list = (key, of, values) => ({ key, type: GGUF.array, of, values });
  return [
    one("general.architecture", GGUF.string, "llama"),
    one("general.name", GGUF.string, "nonsense"),
    one("llama.block_count", GGUF.uint32, LAYERS),
    one("llama.context_length", GGUF.uint32, CONTEXT),
    one("llama.embedding_length", GGUF.uint32, EMBEDDING),
    one("llama.feed_forward_length", GGUF.uint32, FEED_FORWARD),
    one("llama.attention.head_count", GGUF.uint32, HEADS),
    one("llama.attention.head_count_kv", GGUF.uint32, HEADS),
    one("llama.attention.layer_norm_rms_epsilon", GGUF.float32, 1e-5),
    one("llama.rope.dimension_count", GGUF.uint32, EMBEDDING / HEADS),
    one("llama.vocab_size", GGUF.uint32, tokens.length),
    one("tokenizer.ggml.model", GGUF.string, "llama"),
    list(
      "tokenizer.ggml.tokens",
      GGUF.string,
      tokens.map(({ text }) => text),
    ),
    list(
      "tokenizer.ggml.scores",
      GGUF.float32,
      tokens.map((_, index) => -index),
    ),
    list(
      "tokenizer.ggml.token_type",
      GGUF.int32,
      tokens.map(({ type }) => type),
    ),
    one("tokenizer.ggml.unknown_token_id", GGUF.uint32, 0),
    one("tokenizer.ggml.bos_token_id", GGUF.uint32, 1),
    one("tokenizer.ggml.eos_token_id", GGUF.uint32, 2),
    one("tokenizer.ggml.add_bos_token", GGUF.bool, true),
    one("tokenizer.ggml.add_space_prefix", GGUF.bool, false),
  ];
}

/** Name and shape of every tensor; a norm has one dimension and is all ones. */
function tensors(words) {
  const layers = Array.from({ length: LAYERS }, (_, layer) => [
    [`blk.${layer}.attn_norm.weight`, EMBEDDING],
    ...["q", "k", "v", "output"].map((part) => [`blk.${layer}.attn_${part}.weight`, EMBEDDING, EMBEDDING]),
    [`blk.${layer}.ffn_norm.weight`, EMBEDDING],
    [`blk.${layer}.ffn_gate.weight`, EMBEDDING, FEED_FORWARD],
    [`blk.${layer}.ffn_up.weight`, EMBEDDING, FEED_FORWARD],
    [`blk.${layer}.ffn_down.weight`, FEED_FORWARD, EMBEDDING],
  ]).flat();
  return [
    ["token_embd.weight", EMBEDDING, words],
    ["output_norm.weight", EMBEDDING],
    ["output.weight", EMBEDDING, words],
    ...layers,
  ];
}

/** Writes the model as a GGUF file of version 3. The words of `text` are tokens of their own. */
export function writeModel(file, seed, text) {
  const tokens = vocabulary(text);
  const random = randomNumbers(seed);
  const head = new Bytes();
  const data = new Bytes();
  const all = tensors(tokens.length);
  const entries = metadata(tokens);
  head.add(Buffer.from("GGUF", "latin1"));
  head.uint32(3);
  head.uint64(all.length);
  head.uint64(entries.length);
  for (const { key, type, value, of, values } of entries) {
    head.string(key);
    head.uint32(type);
    if (type !== GGUF.array) {
      head.value(type, value);
      continue;
    }
    head.uint32(of);
    head.uint64(values.length);
    for (const member of values) head.value(of, member);
  }
  for (const [name, ...shape] of all) {
    head.string(name);
    head.uint32(shape.length);
    for (const size of shape) head.uint64(size);
    head.uint32(0); // 32-bit floats
    head.uint64(data.length);
    const size = shape.reduce((product, dimension) => product * dimension, 1);
    const numbers = Float32Array.from({ length: size }, () => (shape.length === 1 ? 1 : random() * 0.3));
    data.add(Buffer.from(numbers.buffer));
    data.pad();
  }
  head.pad();
  writeFileSync(file, Buffer.concat([...head.parts, ...data.parts]));
}
