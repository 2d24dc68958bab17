import assert from "node:assert/strict";
import test from "node:test";
import { type NetworkSettings, networkVariables } from "../../src/vscode/network.ts";

const PLAIN: NetworkSettings = { proxy: "", proxySupport: "override", noProxy: [], systemCertificates: true };
const LOOPBACK = "localhost,127.0.0.1,::1";

test("without a proxy anywhere the worker gets none", () => {
  assert.deepEqual(networkVariables(PLAIN, {}), { NODE_USE_ENV_PROXY: undefined, NODE_USE_SYSTEM_CA: "1" });
});

test("the editor's proxy stands for both schemes, and never before a server on this machine", () => {
  const set = networkVariables(
    { ...PLAIN, proxy: " http://proxy.example:3128 ", noProxy: ["*.corp.example", "localhost"] },
    { https_proxy: "http://other:1", NO_PROXY: "not.used" },
  );
  assert.equal(set["NODE_USE_ENV_PROXY"], "1");
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"])
    assert.equal(set[name], "http://proxy.example:3128", name);
  for (const name of ["NO_PROXY", "no_proxy"]) assert.equal(set[name], "*.corp.example,localhost,127.0.0.1,::1", name);
});

test("without a setting the environment's own proxy is used, as the editor does", () => {
  const set = networkVariables(PLAIN, { HTTPS_PROXY: "http://env:1", no_proxy: "a.example, b.example" });
  assert.deepEqual([set["HTTPS_PROXY"], set["HTTP_PROXY"]], ["http://env:1", undefined]);
  assert.equal(set["NO_PROXY"], `a.example,b.example,${LOOPBACK}`);
  assert.equal(set["NODE_USE_ENV_PROXY"], "1");
});

test("proxySupport off means off, whatever is set elsewhere", () => {
  const set = networkVariables({ ...PLAIN, proxy: "http://p:1", proxySupport: "off" }, { HTTP_PROXY: "http://env:1" });
  assert.equal(set["NODE_USE_ENV_PROXY"], undefined);
  assert.ok("NODE_USE_ENV_PROXY" in set, "an inherited one is taken out");
  assert.equal("HTTP_PROXY" in set, false);
});

test("system certificates follow the setting; extra certificates are inherited untouched", () => {
  const off = networkVariables({ ...PLAIN, systemCertificates: false }, { NODE_EXTRA_CA_CERTS: "/ca.pem" });
  assert.equal(off["NODE_USE_SYSTEM_CA"], undefined);
  assert.equal("NODE_EXTRA_CA_CERTS" in off, false);
});
