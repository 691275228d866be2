/** Names with these endings are examples of such files, made to be shared, and hold no secrets. */
const SECRET_NAMES =
  /^(?:\.env(?!\.(?:example|sample|template|dist)$)(?:\..+)?|\.netrc|\.pgpass|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|p12|pfx))$/i;

/**
 * Whether a file's name says that it holds passwords, tokens or private keys. Such files are no docs: whatever the tree shows is searched, quoted and read by
 * models.
 */
export function isSecretFile(name: string): boolean {
  return SECRET_NAMES.test(name);
}
