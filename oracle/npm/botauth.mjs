#!/usr/bin/env node
// Signs and verifies requests with other implementations of HTTP message signatures, for tests.
// It reads JSON objects on standard input, one a line, and answers each with one:
//
//   {"library": NAME, "do": "sign", "jwk": PRIVATE KEY, "keyid", "url", "header", "created", "expires"}
//                       {"header": the fields of the signature}
//   {"library": NAME, "do": "verify", "jwk": PUBLIC KEY, "url", "header"}
//                       {"verified": true}
//
// or with {"error": text}. The libraries are web-bot-auth, of Cloudflare, and
// http-message-signatures. "header" is an object, with names in lower case.

import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createInterface } from 'node:readline';
import { createSigner, createVerifier, httpbis } from 'http-message-signatures';
import { signatureHeaders, verify } from 'web-bot-auth';
import { signerFromJWK, verifierFromJWK } from 'web-bot-auth/crypto';

const lower = (header) => Object.fromEntries(Object.entries(header).map(([name, value]) => [name.toLowerCase(), value]));

const libraries = {
  'web-bot-auth': {
    async sign({ jwk, url, header, created, expires }) {
      const signer = await signerFromJWK(jwk);
      return lower(await signatureHeaders(new Request(url, { headers: header }), signer, {
        created: new Date(created * 1000), expires: new Date(expires * 1000),
      }));
    },
    async verify({ jwk, url, header }) {
      await verify(new Request(url, { headers: header }), await verifierFromJWK(jwk));
      return true;
    },
  },
  'http-message-signatures': {
    async sign({ jwk, keyid, url, header, created, expires }) {
      const signer = createSigner(createPrivateKey({ key: jwk, format: 'jwk' }), 'ed25519', keyid);
      const fields = ['@authority', '@method', '@path'];
      if (header['signature-agent']) fields.push('signature-agent');
      const message = await httpbis.signMessage({
        key: signer, name: 'sig1', fields, params: ['created', 'expires', 'keyid', 'alg', 'tag'],
        paramValues: { created: new Date(created * 1000), expires: new Date(expires * 1000), tag: 'web-bot-auth' },
      }, { method: 'GET', url, headers: header });
      const signed = lower(message.headers);
      return { signature: signed.signature, 'signature-input': signed['signature-input'] };
    },
    async verify({ jwk, url, header }) {
      const verifier = createVerifier(createPublicKey({ key: jwk, format: 'jwk' }), 'ed25519');
      return await httpbis.verifyMessage({
        keyLookup: async () => ({ id: 'key', algs: ['ed25519'], verify: verifier }), all: true,
        requiredParams: ['created', 'expires', 'keyid', 'tag'], requiredFields: ['@authority'],
      }, { method: 'GET', url, headers: header });
    },
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const question = JSON.parse(line);
    const library = libraries[question.library];
    answer = question.do === 'sign' ? { header: await library.sign(question) } : { verified: (await library.verify(question)) === true };
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  console.log(JSON.stringify(answer));
}
