import assert from "node:assert/strict";
import test from "node:test";
import { pageHtml } from "../../src/vscode/pageHtml.ts";

const HTML = pageHtml({
  page: "filter",
  cspSource: "https://*.webview.example",
  nonce: "n0nce",
  script: "https://w.example/dist/webview.js",
  styles: ["https://w.example/dist/codicon.css"],
});

test("the page may load nothing but our styles, our font and the one script that holds the nonce (design 8)", () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(HTML)?.[1];
  assert.equal(
    policy,
    "default-src 'none'; style-src https://*.webview.example; font-src https://*.webview.example; script-src 'nonce-n0nce'",
  );
});

test("every script of the page holds the nonce, and none is inline", () => {
  const scripts = HTML.match(/<script[^>]*>/g) ?? [];
  assert.deepEqual(scripts, [`<script nonce="n0nce" src="https://w.example/dist/webview.js">`]);
});

test("no style attribute and no inline style, which the policy would refuse", () => {
  assert.doesNotMatch(HTML, /style=|<style/);
});

test("addresses cannot leave their attribute", () => {
  const html = pageHtml({ page: "panel", cspSource: "x", nonce: "n", script: `"><script>`, styles: [] });
  assert.ok(html.includes(`src="&quot;>&lt;script>"`));
});
